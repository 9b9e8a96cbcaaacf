import { type Problem, problem } from "../../diagnostics/problem.ts";
import { typeOf } from "../../dns/types/index.ts";
import { RecordTable } from "../../dns/zone/record-table.ts";
import { placeOf, setType, type ZoneRecord } from "../../dns/zone/zone.ts";

/** The records with one TTL for each set. */
export function withSetTtls(
  records: readonly ZoneRecord[],
  defaultTtl: number | undefined,
  report: (found: Problem) => void,
): readonly ZoneRecord[] {
  const first = new Map<string, number | undefined>();
  for (const { type, ttl } of records) if (!first.has(type)) first.set(type, ttl);
  if (records.every(({ type, ttl }) => first.get(type) === ttl)) return records;
  const table = new RecordTable();
  for (const record of records) table.add(record);
  unifyTtls(table, defaultTtl, report);
  return [...table];
}

/**
 * Gives the records of each set one TTL (RFC 2181 §5.2). As in BIND, the first record of a set determines it for those
 * that follow directly with an identically spelled owner; a later run of the owner overrides it.
 */
export function unifyTtls(table: RecordTable, defaultTtl: number | undefined, report: (found: Problem) => void): void {
  const several = typesWithSeveralTtls(table);
  if (several.size === 0) return;
  const changes = new Map<number, number | undefined>();
  for (let id = 0; id < table.owners.count; id++)
    if (table.owners.keyOf(id) === id) findChanges(table, table.firstOf(id), several, changes);
  for (const [row, ttl] of [...changes].sort(([row], [other]) => row - other)) {
    const counts = ttl ?? defaultTtl;
    const own = table.ttlAt(row) ?? defaultTtl;
    if (counts === own) continue;
    const record = table.get(row);
    report(
      problem(
        "rrset-ttl",
        `${record.owner} ${setType(record)}: TTL ${ttlText(own)} is replaced by ${ttlText(counts)}, the TTL of its RRset`,
        { place: placeOf(record), fix: "Give all of them the same TTL.", owner: record.owner },
      ),
    );
    table.replaceTtl(row, ttl, own);
  }
}

function ttlText(ttl: number | undefined): string {
  return ttl === undefined ? "default" : String(ttl);
}

/** The codes of types whose records have several TTLs: only their sets can be mixed. */
function typesWithSeveralTtls(table: RecordTable): Set<number> {
  const first: number[] = []; // by code: a list of all 65,536 would cost a small zone more than its records
  const several = new Set<number>();
  for (let row = 0; row < table.length; row++) {
    const type = table.typeAt(row);
    const ttl = table.ttlAt(row) ?? -1;
    first[type] ??= ttl;
    if (first[type] !== ttl) several.add(type);
  }
  return several;
}

interface SetTtl {
  /** The first row of the set in the owner's latest run. */
  first: number;
  /** The effective TTL, if the set is mixed. */
  effective: number | undefined;
  isMixed: boolean;
}

const signatures: ReadonlySet<number> = new Set(["RRSIG", "SIG"].map((type) => typeOf(type).code));

/** Whether an owner has at least two rows of such types: most have none or one. */
function hasSeveral(table: RecordTable, first: number, types: ReadonlySet<number>): boolean {
  let count = 0;
  for (let row = first; row >= 0 && count < 2; row = table.nextOf(row)) if (types.has(table.typeAt(row))) count++;
  return count === 2;
}

/** Adds the effective TTL of each row in a mixed set of one owner. A run is a sequence of rows with one owner. */
function findChanges(
  table: RecordTable,
  first: number,
  several: ReadonlySet<number>,
  changes: Map<number, number | undefined>,
): void {
  if (!hasSeveral(table, first, several)) return;
  const sets = new Map<number | string, SetTtl>();
  const keyOf = (row: number) => {
    const type = table.typeAt(row);
    return signatures.has(type) ? setType(table.get(row)) : type;
  };
  const spellingAt = (row: number) => table.owners.spellingOf(table.ownerAt(row));
  let run = first;
  let before = first;
  for (let row = first; row >= 0; row = table.nextOf(row)) {
    if (row !== before + 1 || spellingAt(row) !== spellingAt(before)) run = row;
    before = row;
    if (!several.has(table.typeAt(row))) continue;
    const set = sets.get(keyOf(row));
    if (!set) {
      sets.set(keyOf(row), { first: row, effective: undefined, isMixed: false });
      continue;
    }
    const ttl = table.ttlAt(row);
    const isDifferent = ttl !== table.ttlAt(set.first);
    if (set.first < run) {
      set.first = row;
      if (isDifferent || set.isMixed) Object.assign(set, { effective: ttl, isMixed: true });
    } else if (isDifferent && !set.isMixed) Object.assign(set, { effective: table.ttlAt(set.first), isMixed: true });
  }
  if (![...sets.values()].some(({ isMixed }) => isMixed)) return;
  for (let row = first; row >= 0; row = table.nextOf(row)) {
    const set = several.has(table.typeAt(row)) ? sets.get(keyOf(row)) : undefined;
    if (set?.isMixed) changes.set(row, set.effective);
  }
}
