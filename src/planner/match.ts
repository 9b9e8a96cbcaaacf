import type { DesiredRecord, LiveRecord } from "../zone/desired-live.ts";
import { canonical } from "../zone/zone.ts";
import type { RecordChange } from "./change.ts";

export interface Matching {
  readonly changes: RecordChange[];
  readonly unchanged: number;
}

/** Above this many pairs to compare, sets are paired in sorted order instead. */
const mostPairs = 10_000;

/**
 * The fewest writes that turn the stored records of one name and type into the desired ones: max(old, new) − equal.
 * Equal records stay; then records of equal value change their TTL; then the most similar ones change in place; the rest
 * is created or deleted. `sameTtl` says whether a stored TTL will do.
 */
export function matchSet(
  desired: readonly DesiredRecord[],
  live: readonly LiveRecord[],
  sameTtl: (desired: DesiredRecord, live: LiveRecord) => boolean,
): Matching {
  const wanted = withValues(desired);
  const stored = withValues(live);
  const equal = pairUp(wanted, stored, (a, b) => a.value === b.value && sameTtl(a.record, b.record));
  const sameValue = pairUp(wanted, stored, (a, b) => a.value === b.value);
  const similar = pairSimilar(wanted, stored);
  return {
    unchanged: equal.length,
    changes: [
      ...[...sameValue, ...similar].map(([after, before]): RecordChange => ({ kind: "update", before, after })),
      ...wanted.map(({ record }): RecordChange => ({ kind: "create", after: record })),
      ...stored.map(({ record }): RecordChange => ({ kind: "delete", before: record })),
    ],
  };
}

interface Valued<T> {
  readonly record: T;
  readonly value: string;
}

type Pairs = [DesiredRecord, LiveRecord][];

function withValues<T extends DesiredRecord>(records: readonly T[]): Valued<T>[] {
  return records
    .map((record) => ({ record, value: canonical(record) }))
    .sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0));
}

/** Takes every pair that fits out of both lists. */
function pairUp(
  wanted: Valued<DesiredRecord>[],
  stored: Valued<LiveRecord>[],
  fits: (wanted: Valued<DesiredRecord>, stored: Valued<LiveRecord>) => boolean,
): Pairs {
  const byValue = new Map<string, Valued<LiveRecord>[]>();
  for (const item of stored) byValue.set(item.value, [...(byValue.get(item.value) ?? []), item]);
  const pairs: Pairs = [];
  const taken = new Set<Valued<unknown>>();
  for (const want of wanted) {
    const found = byValue.get(want.value)?.find((item) => !taken.has(item) && fits(want, item));
    if (!found) continue;
    taken.add(want).add(found);
    pairs.push([want.record, found.record]);
  }
  remove(wanted, taken);
  remove(stored, taken);
  return pairs;
}

/** Takes as many pairs as there can be out of both lists, the most similar first. */
function pairSimilar(wanted: Valued<DesiredRecord>[], stored: Valued<LiveRecord>[]): Pairs {
  const candidates =
    wanted.length * stored.length > mostPairs
      ? wanted.slice(0, stored.length).map((want, index) => ({ want, item: stored[index], score: 0 }))
      : wanted.flatMap((want) => stored.map((item) => ({ want, item, score: similarity(want.value, item.value) })));
  candidates.sort((a, b) => b.score - a.score);
  const taken = new Set<Valued<unknown>>();
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

/** How much two values share at their start and end. A policy text finds its own kind by its start. */
function similarity(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return 2 * start + end;
}

function remove<T>(list: Valued<T>[], taken: ReadonlySet<Valued<unknown>>): void {
  if (taken.size > 0) list.splice(0, list.length, ...list.filter((item) => !taken.has(item)));
}
