import type { Problem } from "../../diagnostics/problem.ts";
import { decodeText, SourceText } from "../../diagnostics/source-text.ts";
import { Fault } from "../../dns/name/fault.ts";
import { type Name, type NameKey, nameKey, readName } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import { findType } from "../../dns/types/index.ts";
import type { ZoneRecord } from "../../dns/zone/zone.ts";
import { isTextType, readRdataText, readTextData } from "../kit/rdata-text.ts";
import type { UnreadEntry } from "../kit/source.ts";
import type { ForeignFile, ForeignFormat, ForeignResult } from "./foreign-format.ts";
import { omittedProblem } from "./foreign-format.ts";

/** Full name, label, TTL, class, type, RDATA, and the metadata of a provider. Texts are written without quotes. */
const line = /^([^\t\n]+)\t([^\t\n]+)\t(\d+)\tIN\t([A-Z][\w]*)\t([^\t\n]*)(?:\t([^\n]*))?$/;

/** The output of `dnscontrol get-zones --format=tsv`: the records of several zones, one per line. */
export const dnscontrolTsv: ForeignFormat = {
  name: "output of dnscontrol get-zones --format=tsv",
  endings: [".tsv"],
  recognises: ({ bytes }) => {
    const [first = "", ...rest] = decodeText(bytes.subarray(0, 65536)).text.split(/\r?\n/, 3);
    return line.test(first) && rest.some((other) => other === "" || line.test(other));
  },
  read: readTsv,
};

interface TsvZone {
  readonly name: Name;
  readonly records: ZoneRecord[];
  readonly unread: UnreadEntry[];
  readonly problems: Problem[];
}

function readTsv({ file, bytes }: ForeignFile): ForeignResult {
  const source = new SourceText(file, decodeText(bytes).text);
  const zones = new Map<NameKey, TsvZone>();
  const problems: Problem[] = [];
  let start = 0;
  for (const whole of source.text.split("\n")) {
    const end = start + whole.length;
    const at = source.place(start, end);
    const written = whole.replace(/\r$/, "");
    const [, full = "", label = "", seconds, type = "", rdata = "", meta] = line.exec(written) ?? [];
    try {
      if (written === "") continue;
      // A text with a line feed is on several lines, and its end cannot be recognised.
      if (seconds === undefined) throw new Fault("value-shape", "the line is not a record of DNSControl");
      const zone = zoneOf(full, label);
      const own = zones.get(nameKey(zone)) ?? { name: zone, records: [], unread: [], problems: [] };
      zones.set(nameKey(zone), own);
      const ttl = Number(seconds);
      const owner = readName(toOctets(full));
      if (meta !== undefined)
        own.problems.push(
          omittedProblem(`the metadata "${meta}" of ${label} ${type}`, "only DNSControl's providers use it", at),
        );
      const read = readLine({ type, rdata });
      if ("reason" in read) own.unread.push({ owner, type, ttl, rdata, place: at, ...read });
      else own.records.push({ owner, ttl, ...read, source, start, end });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      problems.push({ ...error.problem, place: at });
    } finally {
      start = end + 1;
    }
  }
  return { zones: [...zones.values()].map((zone) => ({ ...zone, settings: {} })), problems };
}

/** The full name without its label. */
function zoneOf(full: string, label: string): Name {
  if (label === "@") return readName(toOctets(full));
  if (full.startsWith(`${label}.`)) return readName(toOctets(full.slice(label.length + 1)));
  throw new Fault("value-shape", `"${full}" does not begin with "${label}"`);
}

function readLine({ type: written, rdata }: { readonly type: string; readonly rdata: string }) {
  const type = findType(written);
  if (!type) return { reason: "DNS has no such type: it is a function of one provider" };
  try {
    return { type: type.type, data: isTextType(type) ? readTextData(rdata) : readRdataText(type, rdata) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { fix } = error.problem;
    return { reason: `its data is invalid: ${error.message}`, ...(fix !== undefined && { fix }) };
  }
}
