import { encodeRdata } from "../../dns/rdata/record-type.ts";
import { WireWriter } from "../../dns/rdata/wire-writer.ts";
import { typeOf } from "../../dns/types/index.ts";
import { emailToName } from "../../dns/types/soa.ts";
import { isType, type ZoneRecord } from "../../dns/zone.ts";
import { readBind } from "../../formats/bind/read.ts";
import { withSetTtls } from "../../formats/kit/rrset-ttl.ts";
import { fromApi } from "../../targets/api/mapping.ts";
import { storedName } from "../kit/domains.ts";
import { zoneTimes } from "../kit/rendering.ts";
import { StepBudget, yieldToEventLoop } from "../store/event-loop.ts";
import type { ZoneRows } from "../store/zones.ts";
import { ServedZone } from "./served-zone.ts";

/** A zone as it is served; `error` is that of the first record that cannot be served. */
export interface LoadedZone {
  readonly zone: ServedZone;
  readonly error: string | undefined;
}

/** Cost of making a record from its row, and of a character of its target, in nanoseconds. */
const rowCost = { record: 5000, character: 100 };
/** From this many characters on, the size of a record's data is checked. */
const longTarget = 2 ** 14;
const longestData = 65_535;

/** Loads a master zone from its rows. `nameservers` are absolute without a final dot, the primary first. */
export async function loadRows(
  domain: string,
  { serial, domain: settings, records: rows }: ZoneRows,
  nameservers: readonly string[],
): Promise<LoadedZone> {
  const origin = storedName(domain);
  const { ttl, refresh, retry, expire } = zoneTimes(settings);
  const [mname = origin] = nameservers.map((name) => storedName(name));
  const times = { serial, refresh, retry, expire, minimum: ttl };
  const soa: ZoneRecord<"SOA"> = {
    owner: origin,
    type: "SOA",
    ttl: undefined,
    data: { mname, rname: emailToName(settings.soa_email), ...times },
  };
  const records: ZoneRecord[] = nameservers.map(
    (name): ZoneRecord<"NS"> => ({ owner: origin, type: "NS", ttl: undefined, data: { nsdname: storedName(name) } }),
  );
  let error: string | undefined;
  const budget = new StepBudget();
  for (const row of rows) {
    const record = fromApi(row, origin);
    if (row.target.length >= longTarget) error ??= sizeError(record);
    records.push(record);
    if (budget.isSpent(rowCost.record + row.target.length * rowCost.character)) await yieldToEventLoop();
  }
  return { zone: await serve(soa, records, ttl), error };
}

function sizeError({ owner, type, data }: ZoneRecord): string | undefined {
  const wire = WireWriter.plain();
  encodeRdata(typeOf(type), data, wire);
  if (wire.length <= longestData) return undefined;
  return `${owner} ${type} takes ${wire.length} octets, at most ${longestData} fit into a record`;
}

/** Cost of reading a line, and of one of its octets, in nanoseconds; the octets of texts outside of ASCII cost most. */
const lineCost = { line: 15_000, octet: 200 };

/**
 * Loads a slave zone from its lines, as received from its masters. The lines up to the SOA record are repeated before
 * each piece of the others, each of which names its owner, so that a zone of any size is read in steps.
 */
export async function loadLines(domain: string, lines: readonly string[]): Promise<LoadedZone> {
  const head = lines.slice(0, lines.findIndex((line) => !/^[;$]/.test(line)) + 1);
  const records: ZoneRecord[] = [];
  let error: string | undefined;
  const read = (piece: readonly string[]) => {
    const bytes = Buffer.from(`${[...head, ...piece].join("\n")}\n`);
    const { zone, problems } = readBind({ file: domain, bytes, origin: storedName(domain), settings: [] });
    const [soa, ...others] = zone.records;
    error ??= problems.find(({ severity }) => severity === "error")?.summary;
    if (!soa || !isType(soa, "SOA")) throw new Error(`the stored zone ${domain} cannot be read: ${error}`);
    for (const record of others) records.push(record);
    return { soa, ttl: zone.settings.ttl_sec ?? 0 };
  };
  let top: ReturnType<typeof read> | undefined;
  const budget = new StepBudget();
  for (let from = head.length, to = from; top === undefined || from < lines.length; from = to) {
    if (top) await yieldToEventLoop();
    while (to < lines.length && !budget.isSpent(lineCost.line + (lines[to++]?.length ?? 0) * lineCost.octet));
    top = read(lines.slice(from, to));
  }
  return { zone: await serve(top.soa, records, top.ttl), error };
}

/** Records that are added to a zone in one step. */
const recordsAtOnce = 2000;

async function serve(soa: ZoneRecord<"SOA">, records: readonly ZoneRecord[], ttl: number): Promise<ServedZone> {
  const zone = new ServedZone({ soa, records: [], ttl });
  const unified = withSetTtls(records, ttl, () => {});
  for (let at = 0; at < unified.length; at += recordsAtOnce) {
    await yieldToEventLoop();
    zone.add(unified.slice(at, at + recordsAtOnce));
  }
  return zone;
}
