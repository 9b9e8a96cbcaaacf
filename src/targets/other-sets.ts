import { recordKeyOf, setKeyOf, type ZoneRecord } from "../dns/zone/zone.ts";
import type { ExpectedSet } from "./target.ts";

/** Those of the expected RRsets that a zone has not as expected; TTLs do not count. */
export function otherSets(records: readonly ZoneRecord[], expected: readonly ExpectedSet[]): ExpectedSet[] {
  const found = new Map<string, Set<string>>();
  for (const record of records) {
    const key = setKeyOf(record);
    found.set(key, (found.get(key) ?? new Set()).add(recordKeyOf(record)));
  }
  return expected.filter((set) => {
    const stored = found.get(setKeyOf(set)) ?? new Set();
    return stored.size !== set.records.length || !set.records.every((record) => stored.has(recordKeyOf(record)));
  });
}
