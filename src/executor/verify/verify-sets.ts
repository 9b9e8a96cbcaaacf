import { escapeControl } from "../../diagnostics/escape.ts";
import { cutOf } from "../../dns/lookup/lookup.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import { canonical, setKeyOf, type ZoneRecord } from "../../dns/zone/zone.ts";

/** An RRset to query. */
export interface Question {
  readonly owner: NameKey;
  readonly type: string;
}

/** TTL and RDATA of each record as text, by owner and type. */
export type SetTexts = ReadonlyMap<string, readonly string[]>;

/** Each RRset once, except the SOA, of which only the serial is compared. */
export function questionsOf(records: Iterable<ZoneRecord>): Question[] {
  const found = new Map<string, Question>();
  for (const { owner, type } of records)
    if (type !== "SOA") found.set(setKeyOf({ owner, type }), { owner: nameKey(owner), type });
  return [...found.values()];
}

/** `defaultTtl`, in seconds, applies to records without a TTL. */
export function setsOf(records: Iterable<ZoneRecord>, defaultTtl: number): SetTexts {
  const sets = new Map<string, Set<string>>();
  for (const record of records) {
    const key = setKeyOf(record);
    const set = sets.get(key) ?? new Set();
    sets.set(key, set.add(`${record.ttl ?? defaultTtl} ${canonical(record)}`));
  }
  return new Map([...sets].map(([key, set]) => [key, [...set].sort()]));
}

/** Describes each requested RRset that differs, one text per RRset. */
export function differences(asked: readonly Question[], wanted: SetTexts, found: SetTexts): string[] {
  return asked.flatMap(({ owner, type }) => {
    const [want, have] = [wanted, found].map((sets) => (sets.get(setKeyOf({ owner, type })) ?? []).join(", "));
    if (want === have) return [];
    return [escapeControl(`${owner.slice(0, -1)} ${type} is ${have || "nothing"} instead of ${want || "nothing"}`)];
  });
}

/** The delegation that a name is at or below, if any: there the zone's servers only refer (RFC 1034 §4.3.2). */
export function delegationOf(owner: NameKey, zone: NameKey, sets: SetTexts): NameKey | undefined {
  return cutOf(zone, owner, (at) => sets.has(setKeyOf({ owner: at, type: "NS" })));
}
