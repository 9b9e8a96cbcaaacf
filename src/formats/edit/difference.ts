import { nameKey } from "../../dns/name/name.ts";
import { readField } from "../../dns/rdata/record-type.ts";
import { typeOf } from "../../dns/types/index.ts";
import { canonical, type Excuse, setType, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import { groupBy } from "../../group-by.ts";
import { formatExcuse } from "../kit/setting.ts";
import { overridesOf } from "./templates-text.ts";

/** The changes that turn one zone into another. */
export interface Difference {
  /** For each record of the zone, by index: the same one, its replacement, or undefined for a deletion. */
  readonly replacements: readonly (ZoneRecord | undefined)[];
  readonly added: readonly ZoneRecord[];
  /** Keys (`setKey`) of the RRsets that change. */
  readonly touched: ReadonlySet<string>;
  /** Names. */
  readonly settings: readonly string[];
  /** RRsets, by owner and type, that come to override those of templates. */
  readonly overrides: ReadonlySet<string>;
  /** New `lenient` entries. Those that the zone has stay. */
  readonly excuses: readonly Excuse[];
  readonly isNone: boolean;
}

/** Compares two zones, ignoring the case of names. Changed records of an RRset are paired, the most similar first. */
export function compareZones(before: Zone, after: Zone): Difference {
  const [records, recordsAfter] = [[...before.records], [...after.records]];
  const { start, tail } = countIdentical(records, recordsAfter);
  const [end, endAfter] = [records.length - tail, recordsAfter.length - tail];
  // The common start and end are most of a file and are not compared again.
  const replacements = records.map((_, index) => {
    if (index < start) return recordsAfter[index];
    return index < end ? undefined : recordsAfter[index - end + endAfter];
  });
  const added: ZoneRecord[] = [];
  const touched = new Set<string>();
  const wanted = groupBy(recordsAfter.slice(start, endAfter), setKey);
  const middle = Array.from({ length: end - start }, (_, index) => start + index);
  const held = groupBy(middle, (index) => setKey(records[index]));
  for (const key of new Set([...held.keys(), ...wanted.keys()])) {
    let left = held.get(key) ?? [];
    let open = wanted.get(key) ?? [];
    const match = (keyOf: (record: ZoneRecord | undefined) => string) => {
      const places = groupBy(left, (index) => keyOf(records[index]));
      open = open.filter((record) => {
        const index = places.get(keyOf(record))?.shift();
        if (index !== undefined) replacements[index] = record;
        return index === undefined;
      });
      left = [...places.values()].flat().sort((a, b) => a - b);
    };
    match((record) => `${record?.owner} ${contentKey(record)}`);
    match(contentKey);
    if (left.length === 0 && open.length === 0) continue;
    touched.add(key);
    match((record) => (record ? canonical(record) : ""));
    for (const record of mostSimilarFirst(open, left, records)) {
      const index = mostSimilar(record, left, records);
      if (index === undefined) added.push(record);
      else {
        replacements[index] = record;
        left = left.filter((other) => other !== index);
      }
    }
  }
  const settings = changedSettings(before, after);
  const overridden = overridesOf(before);
  const overrides = new Set([...overridesOf(after)].filter((key) => !overridden.has(key)));
  const excuses = newExcuses(before, after);
  const isNone = touched.size + settings.length + overrides.size + excuses.length === 0;
  return { replacements, added, touched, settings, overrides, excuses, isNone };
}

/** The `lenient` entries of `after` that `before` lacks, each once. */
export function newExcuses({ excused: known = [] }: Pick<Zone, "excused">, after: Pick<Zone, "excused">): Excuse[] {
  if (!after.excused) return [];
  const keyOf = (excuse: Excuse) => `${nameKey(excuse.owner)} ${formatExcuse(excuse)}`;
  const found = new Set(known.map(keyOf));
  return after.excused.filter((excuse) => !found.has(keyOf(excuse)) && found.add(keyOf(excuse)));
}

/** Whether the zones are equal, in any order of records. Cheaper than pairing them. */
export function isSameZone(before: Zone, after: Zone): boolean {
  if (before.records.length !== after.records.length) return false;
  if (changedSettings(before, after).length > 0) return false;
  const left = new Map<string, number>();
  for (const record of before.records) {
    const key = `${setKey(record)} ${contentKey(record)}`;
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  return !after.records.some((record) => {
    const key = `${setKey(record)} ${contentKey(record)}`;
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count === 0;
  });
}

function changedSettings({ settings: before }: Zone, { settings: after }: Zone): string[] {
  return Object.keys({ ...before, ...after }).filter((name) => !isEqual(before[name], after[name]));
}

/** The number of identical records at the start and at the end. */
function countIdentical(before: readonly ZoneRecord[], after: readonly ZoneRecord[]): { start: number; tail: number } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && isSame(before[start], after[start])) start++;
  let tail = 0;
  while (tail < most - start && isSame(before.at(-1 - tail), after.at(-1 - tail))) tail++;
  return { start, tail };
}

function isSame(a: ZoneRecord | undefined, b: ZoneRecord | undefined): boolean {
  if (!a || !b || a === b) return a === b;
  return (
    a.owner === b.owner &&
    a.type === b.type &&
    a.ttl === b.ttl &&
    typeOf(a.type).fields.every((field) => isEqual(readField(a.data, field), readField(b.data, field)))
  );
}

/** The key of the set of a record: owner in lower case, type, and for signatures the type covered. */
export function setKey(record: Pick<ZoneRecord, "owner" | "type" | "data"> | undefined): string {
  return record ? `${nameKey(record.owner)} ${setType(record)}` : "";
}

function contentKey(record: ZoneRecord | undefined): string {
  return record ? `${record.ttl} ${canonical(record)}` : "";
}

/** If there are fewer places than records, prefers the records most similar to those in the places. */
function mostSimilarFirst(
  open: readonly ZoneRecord[],
  left: readonly number[],
  before: readonly ZoneRecord[],
): readonly ZoneRecord[] {
  if (open.length <= left.length) return open;
  const best = (record: ZoneRecord) =>
    left.reduce((most, index) => Math.max(most, similarity(record, before[index])), 0);
  return open
    .map((record) => ({ record, common: best(record) }))
    .sort((a, b) => b.common - a.common)
    .map(({ record }) => record);
}

function mostSimilar(record: ZoneRecord, left: readonly number[], before: readonly ZoneRecord[]): number | undefined {
  let found = left[0];
  let most = -1;
  for (const index of left) {
    const common = similarity(record, before[index]);
    if (common > most) [found, most] = [index, common];
  }
  return found;
}

/** The number of equal fields of the RDATA; a further field outweighs a common prefix of a text. */
function similarity(a: ZoneRecord, b: ZoneRecord | undefined): number {
  if (!b) return 0;
  const fields = typeOf(a.type).fields.filter((field) =>
    isEqual(readField(a.data, field), readField(b.data, field)),
  ).length;
  const [one, other] = [canonical(a), canonical(b)];
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  return fields + start / (one.length + 1);
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
