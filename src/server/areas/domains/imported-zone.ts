import { mostRecords } from "../../../contract/bounds.ts";
import type { ApiErrorEntry } from "../../../contract/errors.ts";
import type { ApiRecordType } from "../../../contract/resources/record.ts";
import { roundTtl, type TtlProfile } from "../../../contract/ttl.ts";
import { IndexedZone } from "../../../dns/lookup/rule.ts";
import type { Name } from "../../../dns/name/name.ts";
import type { AxfrZone } from "../../../dns/transfer/axfr-receiver.ts";
import { nameToEmail } from "../../../dns/types/soa.ts";
import { isType, type ZoneRecord } from "../../../dns/zone/zone.ts";
import { isApiType, toApi } from "../../../targets/api/mapping.ts";
import { recordLimits } from "../../../targets/api/record-limits.ts";
import { TimeSlice, yieldToEventLoop } from "../../store/event-loop.ts";
import type { RecordAtName } from "../zones/records-rows.ts";
import {
  type DomainFields,
  neighborErrors,
  type RecordFields,
  readDomain,
  readRecord,
  textIn,
  tooManyRecords,
  tooMuchText,
} from "./domain-rules.ts";
import { toStoredName } from "./lookups.ts";

export interface ImportedRecord extends RecordFields {
  readonly type: ApiRecordType;
  readonly ttl_sec: number;
}

/** A transferred zone as it will be stored. */
export interface ZoneToStore {
  readonly fields: DomainFields;
  /** The serial of the zone; secondaries accept only later ones. */
  readonly serial: number;
  readonly records: readonly ImportedRecord[];
  /** Differences from the transferred zone. */
  readonly differences: readonly string[];
  /** Reasons why it cannot be stored; with any, nothing is, so that no name is silently lost. */
  readonly problems: readonly string[];
}

/**
 * Reads a transferred zone. Contact and times come from the SOA record, the zone's TTL from its minimum, which is
 * rendered from it again. The NS set at the apex is replaced by the service's own; unsupported types are left out.
 */
export async function readImportedZone(
  domain: string,
  { records, unread }: AxfrZone,
  { profile, textRoom }: { profile: TtlProfile; textRoom: number },
): Promise<ZoneToStore> {
  const name = toStoredName(domain);
  const [soa, ...others] = records;
  if (!soa || !isType(soa, "SOA")) throw new Error("a transferred zone begins with its SOA record");
  const { serial, rname, minimum, refresh, retry, expire } = soa.data;
  const times = { ttl_sec: minimum, refresh_sec: refresh, retry_sec: retry, expire_sec: expire };
  const sent = { domain, type: "master" as const, soa_email: rname === "." ? "" : nameToEmail(rname), ...times };
  const { fields, errors } = readDomain(sent, undefined, profile);

  const isApexNs = ({ type, owner }: ZoneRecord) => type === "NS" && owner.length === name.length;
  const supported = others.filter((record) => isApiType(record.type) && !isApexNs(record));
  const leftOut = [
    ...others.filter((record) => !isApiType(record.type)),
    ...unread.filter(({ type }) => !isApiType(type)),
  ];
  const isTooLarge = supported.length > mostRecords;
  // Checking this many records would take long.
  const taken = isTooLarge ? { records: [], problems: [] } : await readRecords(name, supported, profile);
  const problems = [
    ...errors.map(({ field, reason }) => `its SOA record gives ${field}: ${reason}`),
    ...(isTooLarge ? [`it has ${supported.length} records. ${tooManyRecords}`] : []),
    ...(taken.records.reduce((sum, { target }) => sum + textIn(target), 0) > textRoom ? [tooMuchText(textRoom)] : []),
    ...unread
      .filter(({ type }) => isApiType(type))
      .map(({ owner, type, fault }) => `${owner} ${type} is invalid: ${fault.message}`),
    ...taken.problems,
  ];
  const own = others.filter(isApexNs).length;
  const rounded = supported.filter(({ ttl }, index) => taken.records[index]?.ttl_sec !== ttl).length;
  const differences = [
    ...(own > 0 ? ["the NS set at the apex is replaced by the service's own"] : []),
    ...(leftOut.length > 0 ? [`left out: ${countTypes(leftOut.map(({ type }) => type))}`] : []),
    ...(rounded > 0 ? [`${rounded} TTLs rounded`] : []),
  ];
  return { fields, serial, records: taken.records, differences, problems };
}

/** Counts of types, for example `RRSIG (12), DNSKEY (2)`, in the order of their first record. */
function countTypes(types: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  const all = [...counts].map(([type, count]) => `${type} (${count})`);
  return all.length <= mostTypes
    ? all.join(", ")
    : `${all.slice(0, mostTypes).join(", ")} and ${all.length - mostTypes} other types`;
}

const mostTypes = 100;

/** Cost of checking a record, in nanoseconds. */
const recordCost = 20_000;

async function readRecords(name: Name, supported: readonly ZoneRecord[], profile: TtlProfile) {
  const zone = new IndexedZone({ name, settings: {}, places: {}, dotlessTargets: [], records: supported });
  const problems: string[] = [];
  const refused = new Set<unknown>();
  const budget = new TimeSlice();
  for (const limit of recordLimits) {
    await yieldToEventLoop();
    for (const { summary, at } of limit.check(zone)) {
      problems.push(summary);
      refused.add(at);
    }
  }
  const records: ImportedRecord[] = [];
  const neighbors = new NameNeighbors();
  for (const record of supported) {
    if (budget.isSpent(recordCost)) await yieldToEventLoop();
    if (refused.has(record)) continue;
    const { type, ...sent } = toApi(record, name);
    const { fields, errors } = readRecord(type, sent, undefined, {
      domain: name.slice(0, -1),
      remoteAddress: undefined,
      profile: "documented",
    });
    const found = [...errors, ...neighbors.add({ ...fields, type })];
    problems.push(...found.map(({ reason }) => `${record.owner} ${type}: ${reason}`));
    // In the API, 0 is the zone's TTL, not "do not cache".
    records.push({ type, ...fields, ttl_sec: roundTtl(Math.max(1, record.ttl ?? 0), profile) });
  }
  return { records, problems };
}

/** The records at each name; one of those that the rules do not distinguish. */
class NameNeighbors {
  readonly #at = new Map<string, Map<string, RecordAtName>>();

  add(record: RecordAtName): ApiErrorEntry[] {
    const key = record.name.toLowerCase();
    const others = this.#at.get(key) ?? new Map<string, RecordAtName>();
    const errors = neighborErrors(record, [...others.values()]);
    this.#at.set(key, others.set(`${record.type} ${record.target === ""}`, record));
    return errors;
  }
}
