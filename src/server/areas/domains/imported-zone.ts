import type { ApiErrorEntry } from "../../../contract/errors.ts";
import type { ApiRecordType } from "../../../contract/resources/record.ts";
import { roundTtl } from "../../../contract/ttl.ts";
import { IndexedZone } from "../../../dns/lookup/rule.ts";
import type { Name } from "../../../dns/name/name.ts";
import type { AxfrZone } from "../../../dns/transfer/axfr-receiver.ts";
import { withAliases } from "../../../dns/transfer/transferred-alias.ts";
import { nameToEmail } from "../../../dns/types/soa.ts";
import { isType, rdataText, type ZoneRecord } from "../../../dns/zone/zone.ts";
import { isApiType, sentName, toApi } from "../../../targets/api/mapping.ts";
import { recordLimits } from "../../../targets/api/record-limits.ts";
import { isOfSigner } from "../../../targets/server-types.ts";
import type { Settings } from "../../entities/context.ts";
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
import { readOpenRecord } from "./open-records.ts";
import { AddedSets } from "./set-octets.ts";

export interface ImportedRecord extends RecordFields {
  readonly type: string;
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

/** The settings on which it depends how a zone is stored. */
type ImportSettings = Pick<Settings, "profile" | "records" | "mostRecords" | "textRoom">;

/**
 * Reads a transferred zone. Contact and times come from the SOA record, the zone's TTL from its minimum, which is
 * rendered from it again. Documented records replace the NS set at the apex by the service's own, and leave out other
 * types; open ones leave out what a signer has made.
 */
export async function readImportedZone(
  domain: string,
  { records, unread }: AxfrZone,
  settings: ImportSettings,
): Promise<ZoneToStore> {
  const { mostRecords, textRoom } = settings;
  const name = toStoredName(domain);
  const [soa, ...others] = withAliases(records);
  if (!soa || !isType(soa, "SOA")) throw new Error("a transferred zone begins with its SOA record");
  const { serial, rname, minimum, refresh, retry, expire } = soa.data;
  const times = { ttl_sec: minimum, refresh_sec: refresh, retry_sec: retry, expire_sec: expire };
  const sent = { domain, type: "master" as const, soa_email: rname === "." ? "" : nameToEmail(rname), ...times };
  const { fields, errors } = readDomain(sent, undefined, settings);

  const isOpen = settings.records === "open";
  const isTaken = (type: string) => (isOpen ? !isOfSigner(type) : isApiType(type));
  const isApexNs = ({ type, owner }: ZoneRecord) => !isOpen && type === "NS" && owner.length === name.length;
  const supported = others.filter((record) => isTaken(record.type) && !isApexNs(record));
  const leftOut = [...others, ...unread].filter(({ type }) => !isTaken(type));
  const isTooLarge = supported.length > mostRecords;
  // Checking this many records would take long.
  const taken = isTooLarge ? { records: [], problems: [] } : await readRecords(name, supported, settings);
  const problems = [
    ...errors.map(({ field, reason }) => `its SOA record gives ${field}: ${reason}`),
    ...(isTooLarge ? [`it has ${supported.length} records. ${tooManyRecords(mostRecords)}`] : []),
    ...(taken.records.reduce((sum, { target }) => sum + textIn(target), 0) > textRoom ? [tooMuchText(textRoom)] : []),
    ...unread
      .filter(({ type }) => isTaken(type))
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

async function readRecords(name: Name, supported: readonly ZoneRecord[], settings: ImportSettings) {
  const isOpen = settings.records === "open";
  const { problems, refused } = isOpen ? { problems: [], refused: new Set() } : await checkLimits(name, supported);
  const records: ImportedRecord[] = [];
  const neighbors = new NameNeighbors();
  const sets = new AddedSets();
  const budget = new TimeSlice();
  const zone = { domain: name.slice(0, -1), remoteAddress: undefined, profile: "documented" as const };
  for (const record of supported) {
    if (budget.isSpent(recordCost)) await yieldToEventLoop();
    if (refused.has(record)) continue;
    const { type } = record;
    const { fields, errors } = isOpen
      ? readOpenRecord(type, { name: sentName(record.owner, name), rdata: rdataText(record) }, undefined, zone)
      : readRecord(type as ApiRecordType, toApi(record, name), undefined, zone);
    const found = [...errors, ...neighbors.add({ ...fields, type }), ...(isOpen ? sets.add(fields.name, record) : [])];
    problems.push(...found.map(({ reason }) => `${record.owner} ${type}: ${reason}`));
    // In the API, 0 is the zone's TTL, not "do not cache".
    const ttl_sec = roundTtl(Math.max(1, record.ttl ?? 0), settings.profile, settings.records);
    records.push({ type, ...fields, ttl_sec });
  }
  return { records, problems };
}

/** The records that break a limit of documented ones, and why. */
async function checkLimits(
  name: Name,
  records: readonly ZoneRecord[],
): Promise<{ readonly problems: string[]; readonly refused: ReadonlySet<unknown> }> {
  const zone = new IndexedZone({ name, settings: {}, places: {}, dotlessTargets: [], records });
  const problems: string[] = [];
  const refused = new Set<unknown>();
  for (const limit of recordLimits) {
    await yieldToEventLoop();
    for (const { summary, at } of limit.check(zone)) {
      problems.push(summary);
      refused.add(at);
    }
  }
  return { problems, refused };
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
