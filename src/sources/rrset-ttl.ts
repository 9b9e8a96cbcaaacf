import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { placeOf, type ZoneRecord } from "../zone/zone.ts";

interface SetTtl {
  ttl: number | undefined;
  group: number;
}

/**
 * The records with one TTL for each set (RFC 2181 §5.2). As in BIND the first record of a set gives it to those that
 * follow while the owner stays the same, letter by letter; when it comes again later, what it says then counts.
 */
export function withSetTtls(
  records: readonly ZoneRecord[],
  defaultTtl: number | undefined,
  report: (diagnostic: Diagnostic) => void,
): readonly ZoneRecord[] {
  const sets = new Map<string, SetTtl>();
  let group = 0;
  let owner = "";
  let isMixed = false;
  for (const record of records) {
    if (record.owner !== owner) group++;
    owner = record.owner;
    const key = keyOf(record);
    const set = sets.get(key);
    if (set === undefined) sets.set(key, { ttl: record.ttl, group });
    else if (set.ttl !== record.ttl) {
      isMixed = true;
      if (set.group !== group) sets.set(key, { ttl: record.ttl, group });
    } else set.group = group;
  }
  if (!isMixed) return records;
  return records.map((record) => {
    const { ttl } = sets.get(keyOf(record)) ?? record;
    const counts = ttl ?? defaultTtl;
    if (counts === (record.ttl ?? defaultTtl)) return record;
    const at = placeOf(record);
    report({
      severity: "warning",
      rule: "rrset-ttl",
      summary: `the ${record.type} records of ${record.owner} have several TTLs; ${counts ?? "the zone's default"} counts`,
      ...(at && { at }),
      fix: "Give all of them the same TTL.",
    });
    return { ...record, ttl };
  });
}

function keyOf({ owner, type }: ZoneRecord): string {
  return `${owner.toLowerCase()} ${type}`;
}
