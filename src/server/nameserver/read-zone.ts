import type { Problem } from "../../diagnostics/problem.ts";
import { asName } from "../../dns/name.ts";
import { isType, type ZoneRecord } from "../../dns/zone.ts";
import { readBind } from "../../formats/bind/read.ts";
import { withSetTtls } from "../../formats/rrset-ttl.ts";
import { nextTurn, Pace } from "../store/event-loop.ts";
import { ServedZone } from "./served-zone.ts";

/** A zone that was read, and the first error in it. */
interface ReadZone {
  readonly zone: ServedZone;
  readonly serial: number;
  readonly fault: Problem | undefined;
}

/** How long a line and one of its octets take to read, in nanoseconds; the octets of texts outside of ASCII take longest. */
const cost = { line: 15_000, octet: 200 };
/** How many records are looked up and put into a zone in one step. */
const recordsAtOnce = 2000;

/**
 * Reads a rendered zone. Its lines up to the SOA record stand before each piece of the others, each of which names its
 * owner, so that a zone of any size is read in steps.
 */
export async function readZone(domain: string, lines: readonly string[]): Promise<ReadZone> {
  const head = lines.slice(0, lines.findIndex((line) => !/^[;$]/.test(line)) + 1);
  const records: ZoneRecord[] = [];
  let fault: Problem | undefined;
  const read = (piece: readonly string[]) => {
    const bytes = Buffer.from(`${[...head, ...piece].join("\n")}\n`);
    const { zone, problems } = readBind({ file: domain, bytes, origin: asName(`${domain}.`) });
    const [soa, ...others] = zone.records;
    fault ??= problems.find(({ severity }) => severity === "error");
    if (!soa || !isType(soa, "SOA"))
      throw new Error(`${domain} was rendered so that it cannot be read: ${fault?.summary}`);
    for (const record of others) records.push(record);
    return { soa, ttl: zone.settings.ttl_sec ?? 0 };
  };
  let top: ReturnType<typeof read> | undefined;
  const pace = new Pace();
  for (let from = head.length, to = from; top === undefined || from < lines.length; from = to) {
    if (top) await nextTurn();
    while (to < lines.length && !pace.isSpent(cost.line + (lines[to++]?.length ?? 0) * cost.octet));
    top = read(lines.slice(from, to));
  }
  const { soa, ttl } = top;
  const zone = new ServedZone({ soa, records: [], ttl });
  const unified = withSetTtls(records, ttl, () => {});
  for (let at = 0; at < unified.length; at += recordsAtOnce) {
    await nextTurn();
    zone.add(unified.slice(at, at + recordsAtOnce));
  }
  return { zone, serial: soa.data.serial, fault };
}
