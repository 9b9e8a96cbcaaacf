import { type Problem, problem } from "../../diagnostics/problem.ts";
import { nameKey } from "../../dns/name.ts";
import { changed, placeOf, setType, type ZoneRecord } from "../../dns/zone.ts";

/**
 * The records with one TTL for each set (RFC 2181 §5.2). As in BIND, the first record of a set determines it for those
 * that follow directly with an identically spelled owner; a later run of the owner overrides it.
 */
export function withSetTtls(
  records: readonly ZoneRecord[],
  defaultTtl: number | undefined,
  report: (found: Problem) => void,
): readonly ZoneRecord[] {
  const counting = findMixedSets(records);
  if (counting.size === 0) return records;
  return records.map((record) => {
    const key = keyOf(record);
    if (!counting.has(key)) return record;
    const ttl = counting.get(key);
    const counts = ttl ?? defaultTtl;
    if (counts === (record.ttl ?? defaultTtl)) return record;
    const at = placeOf(record);
    report(
      problem(
        "rrset-ttl",
        `${record.owner} ${setType(record)}: TTL ${ttlText(record.ttl ?? defaultTtl)} is replaced by ${ttlText(counts)}, the TTL of its RRset`,
        { place: at, fix: "Give all of them the same TTL.", owner: record.owner },
      ),
    );
    return changed(record, { ttl, ownTtl: record.ttl ?? defaultTtl });
  });
}

function ttlText(ttl: number | undefined): string {
  return ttl === undefined ? "default" : String(ttl);
}

/** The effective TTL of each set with several TTLs. A run is a sequence of records with one owner. */
function findMixedSets(records: readonly ZoneRecord[]): Map<string, number | undefined> {
  const counting = new Map<string, number | undefined>();
  const firsts = typesWithSeveralTtls(records);
  if (firsts.size === 0) return counting;
  let run = 0;
  records.forEach((record, index) => {
    if (record.owner !== records[run]?.owner) run = index;
    const ofType = firsts.get(record.type);
    if (!ofType) return;
    const key = keyOf(record);
    const first = ofType.get(key);
    if (first === undefined || first < run) ofType.set(key, index);
    if (first === undefined) return;
    const ttl = records[first]?.ttl;
    if (first < run && (ttl !== record.ttl || counting.has(key))) counting.set(key, record.ttl);
    if (first >= run && ttl !== record.ttl && !counting.has(key)) counting.set(key, ttl);
  });
  return counting;
}

/** Only their sets can be mixed. Each with room for the first record of a set in its owner's latest run, by index. */
function typesWithSeveralTtls(records: readonly ZoneRecord[]): Map<string, Map<string, number>> {
  const ttls = new Map<string, number | undefined>();
  const several = new Map<string, Map<string, number>>();
  for (const { type, ttl } of records) {
    const first = ttls.get(type);
    if (first === ttl && (ttl !== undefined || ttls.has(type))) continue;
    if (ttls.has(type)) several.set(type, several.get(type) ?? new Map());
    else ttls.set(type, ttl);
  }
  return several;
}

function keyOf(record: ZoneRecord): string {
  return `${nameKey(record.owner)} ${setType(record)}`;
}
