import type { ApiErrorEntry } from "../../contract/errors.ts";
import type { ApiRecordType } from "../../contract/resources/record.ts";
import { storedTtl, type TtlProfile } from "../../contract/ttl.ts";
import { asName, type Name } from "../../dns/name.ts";
import { IndexedZone } from "../../dns/rule.ts";
import type { TransferredZone } from "../../dns/transfer/axfr-receiver.ts";
import { nameToEmail } from "../../dns/types/soa.ts";
import { isType, type ZoneRecord } from "../../dns/zone.ts";
import { isHeld, toApi } from "../../targets/api/mapping.ts";
import { recordLimits } from "../../targets/api/record-limits.ts";
import { StepBudget, yieldToEventLoop } from "../store/event-loop.ts";
import { type DomainFields, mostRecords, readDomain, textIn, tooManyRecords, tooMuchText } from "./domain.ts";
import { neighbourErrors } from "./neighbours.ts";
import { readRecord } from "./record.ts";
import type { RecordFields } from "./record-types.ts";

export interface ImportedRecord extends RecordFields {
  readonly type: ApiRecordType;
  readonly ttl_sec: number;
}

/** A zone from elsewhere as it will be stored. */
export interface ImportedZone {
  readonly fields: DomainFields;
  /** What the zone had there: secondaries take only what is later. */
  readonly serial: number;
  readonly records: readonly ImportedRecord[];
  /** What is not as it was there. */
  readonly remarks: readonly string[];
  /** Why it cannot be stored: then nothing is, so that no name is lost in silence. */
  readonly problems: readonly string[];
}

/**
 * Keeper and times come from the SOA record, the zone's TTL from how long it lets absence be remembered, which is what it
 * becomes again. The NS set of the apex is the service's own; types that the API does not hold stay behind.
 */
export async function readImportedZone(
  domain: string,
  { records, unread }: TransferredZone,
  { profile, textRoom }: { profile: TtlProfile; textRoom: number },
): Promise<ImportedZone> {
  const name = asName(`${domain}.`);
  const [soa, ...others] = records;
  if (!soa || !isType(soa, "SOA")) throw new Error("a transferred zone begins with its SOA record");
  const { serial, rname, minimum, refresh, retry, expire } = soa.data;
  const times = { ttl_sec: minimum, refresh_sec: refresh, retry_sec: retry, expire_sec: expire };
  const sent = { domain, type: "master" as const, soa_email: rname === "." ? "" : nameToEmail(rname), ...times };
  const { fields, errors } = readDomain(sent, undefined, profile);

  const isApexNs = ({ type, owner }: ZoneRecord) => type === "NS" && owner.length === name.length;
  const held = others.filter((record) => isHeld(record.type) && !isApexNs(record));
  const leftOut = [...others.filter((record) => !isHeld(record.type)), ...unread.filter(({ type }) => !isHeld(type))];
  const isTooLarge = held.length > mostRecords;
  // Further faults of so many records would take long to find.
  const taken = isTooLarge ? { records: [], problems: [] } : await readRecords(name, held, profile);
  const problems = [
    ...errors.map(({ field, reason }) => `its SOA record gives ${field}: ${reason}`),
    ...(isTooLarge ? [`it has ${held.length} records. ${tooManyRecords}`] : []),
    ...(taken.records.reduce((sum, { target }) => sum + textIn(target), 0) > textRoom ? [tooMuchText(textRoom)] : []),
    ...unread
      .filter(({ type }) => isHeld(type))
      .map(({ owner, type, fault }) => `${owner} ${type} cannot be read: ${fault.message}`),
    ...taken.problems,
  ];
  const own = others.filter(isApexNs).length;
  const rounded = held.filter(({ ttl }, index) => taken.records[index]?.ttl_sec !== ttl).length;
  const remarks = [
    ...(own > 0 ? [`the NS set at the apex is the service's own`] : []),
    ...(leftOut.length > 0 ? [`left out: ${counted(leftOut.map(({ type }) => type))}`] : []),
    ...(rounded > 0 ? [`${rounded} TTLs rounded`] : []),
  ];
  return { fields, serial, records: taken.records, remarks, problems };
}

/** `RRSIG (12), DNSKEY (2)`: all there are, in the order of their first. */
function counted(types: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  const all = [...counts].map(([type, count]) => `${type} (${count})`);
  // Nobody has more kinds of records, unless to fill a page.
  return all.length <= mostTypes
    ? all.join(", ")
    : `${all.slice(0, mostTypes).join(", ")} and ${all.length - mostTypes} other types`;
}

const mostTypes = 100;

/** Cost of checking a record, in nanoseconds. */
const recordCost = 10_000;

async function readRecords(name: Name, held: readonly ZoneRecord[], profile: TtlProfile) {
  const zone = new IndexedZone({ name, settings: {}, places: {}, dotlessTargets: [], records: held });
  const problems: string[] = [];
  const refused = new Set<unknown>();
  const budget = new StepBudget();
  for (const limit of recordLimits) {
    await yieldToEventLoop();
    for (const { summary, at } of limit.check(zone)) {
      problems.push(summary);
      refused.add(at);
    }
  }
  const records: ImportedRecord[] = [];
  const neighbours = new Neighbours();
  for (const record of held) {
    if (budget.isSpent(recordCost)) await yieldToEventLoop();
    if (refused.has(record)) continue;
    const { type, ...sent } = toApi(record, name);
    // Whole, because a name inside the zone may end like the zone.
    const whole = { ...sent, name: record.owner.slice(0, -1) };
    const { fields, errors } = readRecord(type, whole, undefined, {
      domain: name.slice(0, -1),
      remoteAddress: undefined,
    });
    const found = [...errors, ...neighbours.add({ ...fields, type })];
    problems.push(...found.map(({ reason }) => `${record.owner} ${type}: ${reason}`));
    // The API's 0 is the zone's TTL, not "do not keep".
    records.push({ type, ...fields, ttl_sec: storedTtl(Math.max(1, record.ttl ?? 0), profile) });
  }
  return { records, problems };
}

interface Placed {
  readonly type: string;
  readonly name: string;
  readonly target: string;
}

/** The records at each name; of those that the rules do not tell apart, one. */
class Neighbours {
  readonly #at = new Map<string, Map<string, Placed>>();

  add(record: Placed): ApiErrorEntry[] {
    const key = record.name.toLowerCase();
    const others = this.#at.get(key) ?? new Map<string, Placed>();
    const errors = neighbourErrors(record, [...others.values()]);
    this.#at.set(key, others.set(`${record.type} ${record.target === ""}`, record));
    return errors;
  }
}
