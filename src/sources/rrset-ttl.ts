import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { changed, placeOf, type ZoneRecord } from "../zone/zone.ts";

/**
 * The records with one TTL for each set (RFC 2181 §5.2). As in BIND the first record of a set gives it to those that
 * follow while the owner stays the same, letter by letter; when it comes again later, what it says then counts.
 */
export function withSetTtls(
  records: readonly ZoneRecord[],
  defaultTtl: number | undefined,
  report: (diagnostic: Diagnostic) => void,
): readonly ZoneRecord[] {
  const counting = mixedSets(records);
  if (counting.size === 0) return records;
  return records.map((record) => {
    const key = keyOf(record);
    if (!counting.has(key)) return record;
    const ttl = counting.get(key);
    const counts = ttl ?? defaultTtl;
    if (counts === (record.ttl ?? defaultTtl)) return record;
    const at = placeOf(record);
    report({
      severity: "warning",
      rule: "rrset-ttl",
      summary: `the ${record.type} records of ${record.owner} have several TTLs; ${counts ?? "the zone's default"} counts`,
      ...(at && { at }),
      fix: "Give all of them the same TTL.",
      owner: record.owner,
    });
    return changed(record, { ttl });
  });
}

/** A stretch of records with one owner, the way files are written: most owners have just one. */
interface Run {
  readonly first: number;
  readonly end: number;
  readonly before: Run | undefined;
}

/** The TTL that counts for each set that has several. */
function mixedSets(records: readonly ZoneRecord[]): Map<string, number | undefined> {
  const counting = new Map<string, number | undefined>();
  if (hasOneTtlPerType(records)) return counting;
  const runs = new Map<string, Run>();
  for (let first = 0; first < records.length; ) {
    const owner = records[first]?.owner ?? "";
    let end = first + 1;
    while (end < records.length && records[end]?.owner === owner) end++;
    const key = owner.toLowerCase();
    const before = runs.get(key);
    const run = { first, end, before };
    runs.set(key, run);
    if (end - first > 1 || before) compareRun(records, run, counting);
    first = end;
  }
  return counting;
}

/** Most zones: then no set can be mixed, and the owners need not be looked at. */
function hasOneTtlPerType(records: readonly ZoneRecord[]): boolean {
  const ttls = new Map<string, number | undefined>();
  for (const { type, ttl } of records) {
    if (!ttls.has(type)) ttls.set(type, ttl);
    else if (ttls.get(type) !== ttl) return false;
  }
  return true;
}

/** Each set of the run with what the run, or the runs of this owner before it, say of its TTL. */
function compareRun(
  records: readonly ZoneRecord[],
  { first, end, before }: Run,
  counting: Map<string, number | undefined>,
): void {
  for (let index = first; index < end; index++) {
    const record = records[index];
    if (!record) continue;
    const here = ofType(records, record.type, first, index);
    if (here) {
      if (here.ttl !== record.ttl && !counting.has(keyOf(record))) counting.set(keyOf(record), here.ttl);
      continue;
    }
    for (let run = before; run; run = run.before) {
      const earlier = ofType(records, record.type, run.first, run.end);
      if (!earlier) continue;
      const key = keyOf(record);
      if (counting.has(key) || earlier.ttl !== record.ttl) counting.set(key, record.ttl);
      break;
    }
  }
}

function ofType(records: readonly ZoneRecord[], type: string, first: number, end: number): ZoneRecord | undefined {
  for (let index = first; index < end; index++) if (records[index]?.type === type) return records[index];
  return undefined;
}

function keyOf({ owner, type }: ZoneRecord): string {
  return `${owner.toLowerCase()} ${type}`;
}
