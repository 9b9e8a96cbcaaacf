import { isSameName, type Name, nameKey, relativeTo, root } from "../../dns/name/name.ts";
import { fromOctets } from "../../dns/name/text.ts";
import { txtText } from "../../dns/policies/kind.ts";
import type { DesiredRecord, DesiredZone, LiveRecord, LiveZone } from "../../dns/zone/desired-live.ts";
import { type OwnerSets, ownersOf } from "../../dns/zone/owners.ts";
import { globTest, type Ignore, ignoreTest } from "../../dns/zone/scope.ts";
import { canonical, isSameRdata, isType, rdataText, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { PlanCapabilities, RecordChange } from "../changes/change.ts";

interface Matching {
  readonly changes: RecordChange[];
  readonly unchanged: number;
}

const inSync: Matching = { unchanged: 1, changes: [] };

/** The maximum number of pairs to compare; larger sets are paired in sorted order. */
const mostPairs = 10_000;

/**
 * The fewest writes that turn the stored records of one name and type into the desired ones: max(old, new) − equal.
 * Equal records stay; then records of equal value change their TTL; then a policy text replaces its predecessor, so
 * that there are never two; then the most similar ones change in place; the rest is created or deleted. `sameTtl`
 * compares TTLs. The order of the records does not matter, except that the oldest of equal live ones comes first.
 */
export function matchSet(
  desired: readonly DesiredRecord[],
  live: readonly LiveRecord[],
  sameTtl: (desired: DesiredRecord, live: LiveRecord) => boolean,
): Matching {
  const [want, have] = [desired[0], live[0]];
  if (want && have && desired.length === 1 && live.length === 1) {
    const isEqual = isSameRdata(want, have) && sameTtl(want, have);
    return isEqual ? inSync : { unchanged: 0, changes: [{ kind: "update", before: have, after: want }] };
  }
  const wanted = withValues(desired, compareDesired);
  const stored = withValues(live, storedValue);
  const equal = pairUp(wanted, stored, byValue, (a, b) => sameTtl(a.record, b.record));
  const sameValue = pairUp(wanted, stored);
  const samePolicy = pairUp(wanted, stored, byPolicy);
  const similar = pairSimilar(wanted, stored);
  return {
    unchanged: equal.length,
    changes: [
      ...[...sameValue, ...samePolicy, ...similar].map(
        ([after, before]): RecordChange => ({ kind: "update", before, after }),
      ),
      ...wanted.map(({ record }): RecordChange => ({ kind: "create", after: record })),
      ...stored.map(({ record }): RecordChange => ({ kind: "delete", before: record })),
    ],
  };
}

interface ComparedRecord<T> {
  readonly record: T;
  readonly value: string;
}

type Pairs = [DesiredRecord, LiveRecord][];

function withValues<T extends DesiredRecord>(
  records: readonly T[],
  compareEqual: (a: T, b: T) => number,
): ComparedRecord<T>[] {
  return records
    .map((record) => ({ record, value: canonical(record) }))
    .sort((a, b) => compare(a.value, b.value) || compareEqual(a.record, b.record));
}

function compareDesired(a: DesiredRecord, b: DesiredRecord): number {
  return compare(a.ttl ?? 0, b.ttl ?? 0) || compare(a.owner, b.owner) || compare(rdataText(a), rdataText(b));
}

/** Of equal records the oldest stays: two runs may have created them concurrently (executor/write/compare-live.ts). */
const storedValue = () => 0;

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function byValue({ value }: ComparedRecord<DesiredRecord>): string {
  return value;
}

function byPolicy({ value }: ComparedRecord<DesiredRecord>): string | undefined {
  return policyOf(value);
}

/** The version tag of a policy text, such as `v=spf1` or `v=DMARC1`. Two of a kind make both invalid. */
function policyOf(value: string): string | undefined {
  return /^"(v=[^\s;"]+)/i.exec(value)?.[1]?.toLowerCase();
}

/** Removes and returns all pairs with equal keys. */
function pairUp(
  wanted: ComparedRecord<DesiredRecord>[],
  stored: ComparedRecord<LiveRecord>[],
  keyOf: (item: ComparedRecord<DesiredRecord>) => string | undefined = byValue,
  fits: (wanted: ComparedRecord<DesiredRecord>, stored: ComparedRecord<LiveRecord>) => boolean = () => true,
): Pairs {
  const byKey = new Map<string | undefined, ComparedRecord<LiveRecord>[]>();
  for (const item of stored) {
    const list = byKey.get(keyOf(item));
    if (list) list.push(item);
    else byKey.set(keyOf(item), [item]);
  }
  const pairs: Pairs = [];
  const taken = new Set<ComparedRecord<unknown>>();
  for (const want of wanted) {
    const key = keyOf(want);
    const found = key === undefined ? undefined : byKey.get(key)?.find((item) => !taken.has(item) && fits(want, item));
    if (!found) continue;
    taken.add(want).add(found);
    pairs.push([want.record, found.record]);
  }
  remove(wanted, taken);
  remove(stored, taken);
  return pairs;
}

/** Removes and returns as many pairs as possible, the most similar first. */
function pairSimilar(wanted: ComparedRecord<DesiredRecord>[], stored: ComparedRecord<LiveRecord>[]): Pairs {
  const candidates =
    wanted.length * stored.length > mostPairs
      ? wanted.slice(0, stored.length).map((want, index) => ({ want, item: stored[index], score: 0 }))
      : wanted.flatMap((want) => stored.map((item) => ({ want, item, score: similarity(want.value, item.value) })));
  candidates.sort((a, b) => b.score - a.score);
  const taken = new Set<ComparedRecord<unknown>>();
  const pairs: Pairs = [];
  for (const { want, item } of candidates) {
    if (!item || taken.has(want) || taken.has(item)) continue;
    taken.add(want).add(item);
    pairs.push([want.record, item.record]);
  }
  remove(wanted, taken);
  remove(stored, taken);
  return pairs;
}

/** The length of the common prefix and suffix of two values. The prefix matches policies of the same kind. */
function similarity(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return 2 * start + end;
}

function remove<T>(list: ComparedRecord<T>[], taken: ReadonlySet<ComparedRecord<unknown>>): void {
  if (taken.size === 0) return;
  let kept = 0;
  for (const item of list) if (!taken.has(item)) list[kept++] = item;
  list.length = kept;
}

/** The records of the zone after the plan, including ignored ones. */
interface ScopedRecords {
  readonly records: readonly DesiredRecord[];
  /** Number of ignored live records, without the SOA record and the apex NS set of the service. */
  readonly ignored: number;
}

/**
 * Adds to the desired records the live ones that are not managed: those that match an `ignore` pattern, those of
 * unlisted names and types with `manage: listed`, responses to ACME challenges (RFC 8555 §8.4), the SOA record unless
 * one is desired, and the apex NS set unless it is ours. Records that the file lists, or that cannot coexist with
 * those, are always managed.
 */
export function applyScope(
  desired: DesiredZone,
  live: LiveZone | undefined,
  apex: PlanCapabilities["apex"] = "service",
): ScopedRecords {
  if (live === undefined || desired.settings.type === "slave") return { records: desired.records, ignored: 0 };
  const owners = ownersOf(desired.records);
  const listed = (record: ZoneRecord) => owners.get(nameKey(record.owner));
  const hasSoa = owners.get(nameKey(desired.name))?.has("SOA") === true;
  const isOfService = ({ type, owner }: ZoneRecord) =>
    ((type === "SOA" && !hasSoa) || (type === "NS" && apex === "service")) && isSameName(owner, desired.name);
  const patterns = (desired.scope?.ignore ?? []).map((ignore) => recordTest(ignore, desired.name));
  const isOutside = (record: ZoneRecord) =>
    isChallenge(record) ||
    patterns.some((fits) => fits(record)) ||
    (desired.scope?.manage === "listed" && listed(record)?.has(record.type) !== true);
  const kept: LiveRecord[] = [];
  let ignored = 0;
  for (const record of live.records) {
    if (isOfService(record)) kept.push(record);
    else if (isOutside(record) && !isClaimed(record, listed(record))) {
      kept.push(record);
      ignored++;
    }
  }
  return { records: kept.length === 0 ? desired.records : [...desired.records, ...kept], ignored };
}

function isChallenge({ owner, type }: ZoneRecord): boolean {
  return type === "TXT" && /^_acme-challenge\./i.test(owner);
}

/** Whether the file lists this record, or one that cannot coexist with it. */
function isClaimed(record: ZoneRecord, sets: OwnerSets | undefined): boolean {
  if (sets === undefined) return false;
  if (sets.has("CNAME") !== (record.type === "CNAME")) return true;
  const value = canonical(record);
  const isNullMx = (record: ZoneRecord) => isType(record, "MX") && record.data.exchange === root;
  return (sets.get(record.type)?.records ?? []).some((other) => {
    const others = canonical(other);
    const policy = policyOf(others);
    return (
      record.type === "CNAME" ||
      others === value ||
      isNullMx(record) !== isNullMx(other) ||
      (record.type === "TXT" && policy !== undefined && policy === policyOf(value))
    );
  });
}

/** Whether a pattern matches a record of the zone. */
export function recordTest(ignore: Ignore, zone: Name): (record: ZoneRecord) => boolean {
  const [ofSet, ofValue] = [ignoreTest(ignore), globTest(ignore.value)];
  return (record) =>
    ofSet(relativeTo(nameKey(record.owner), zone), [record.type]) &&
    (ignore.value === undefined || ofValue(valueText(record)));
}

function valueText(record: ZoneRecord): string {
  return isType(record, "TXT") ? fromOctets(txtText(record)) : rdataText(record);
}
