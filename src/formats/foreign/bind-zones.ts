import { hasErrors } from "../../diagnostics/problem.ts";
import { decodeText } from "../../diagnostics/source-text.ts";
import { Fault } from "../../dns/name/fault.ts";
import { readName } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import { readBind } from "../bind/read.ts";
import { findSlips } from "../kit/find-slips.ts";
import type { ForeignFile, ForeignFormat, ForeignResult, ForeignZone } from "./foreign-format.ts";

/** The first line of a zone: its absolute name. DNSControl writes `$TTL` after it, and SOA as the first record. */
const head =
  /^\$ORIGIN[ \t]+([^\s;]+\.)[ \t]*(?:;.*)?\r?\n(?:(?:[ \t]*;.*|\$TTL.*|[ \t]*)\r?\n)*\S+[ \t]+(?:.*\s)?SOA\s/gm;

/**
 * Several zones in one BIND zone file, one after the other, each from its `$ORIGIN` with an absolute name and its SOA
 * record: the output of `dnscontrol get-zones --format=zone` for several zones.
 */
export const bindZones: ForeignFormat = {
  name: "several BIND zone files in one",
  endings: [".zone", ".zones", ".db"],
  recognises: (file) => zonesIn(file).length > 1,
  read: readZones,
};

function zonesIn({ bytes }: ForeignFile): RegExpExecArray[] {
  return [...decodeText(bytes).text.matchAll(head)];
}

function readZones(file: ForeignFile): ForeignResult {
  const { text } = decodeText(file.bytes);
  const starts = zonesIn(file);
  const before = text.slice(0, starts[0]?.index).replaceAll(/[^\n]/g, "");
  const zones = starts.map(({ index, 1: written = "" }, at): ForeignZone => {
    // Empty lines keep the numbers of lines.
    const lines = at === 0 ? before : text.slice(0, index).replaceAll(/[^\n]/g, "");
    const bytes = Buffer.from(lines + text.slice(index, starts[at + 1]?.index));
    const { zone, problems } = readBind({ ...file, bytes, origin: originOf(written) });
    const { name, settings, records } = zone;
    return {
      name,
      settings,
      records: [...records],
      unread: [],
      problems: [...problems.filter((found) => hasErrors([found])), ...findSlips(zone)],
    };
  });
  return { zones, problems: [] };
}

function originOf(written: string) {
  try {
    return readName(toOctets(written));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return readName("invalid."); // the reader reports the invalid $ORIGIN
  }
}
