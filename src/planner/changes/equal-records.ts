import { nameKey } from "../../dns/name/name.ts";
import { canonical, type ZoneRecord } from "../../dns/zone/zone.ts";
import { type RecordChange, writesOf, type ZonePlan } from "./change.ts";

/** The number of live records with an owner, type and data, and of those that keep it. */
export interface EqualRecords {
  readonly live: number;
  readonly staying: number;
}

/**
 * Counts the records that are equal to the one that a write deletes or replaces, except for their TTLs. If only its TTL
 * changes, none stays as it is.
 */
export type CountEqual = (change: Exclude<RecordChange, { kind: "create" }>) => EqualRecords;

/** Prepares the counts for a zone. Of its records, only those in sets from which the plan takes one are compared. */
export function equalRecords(zone: ZonePlan): CountEqual {
  const writes = writesOf(zone);
  const taken = new Map<string, number>();
  const added = new Map<string, number>();
  for (const write of writes) {
    const [from, to] = [before(write), after(write)];
    if (from === to) continue;
    if (from !== undefined) addOne(taken, from);
    if (to !== undefined) addOne(added, to);
  }
  const sets = new Set(writes.flatMap((write) => (write.kind === "create" ? [] : [setOf(write.before)])));
  const desired = new Map<string, number>();
  if (taken.size > 0)
    for (const record of zone.zone.records) if (sets.has(setOf(record))) addOne(desired, keyOf(record));
  return (write) => {
    const key = keyOf(write.before);
    const staying = key === after(write) ? 0 : Math.max(0, (desired.get(key) ?? 0) - (added.get(key) ?? 0));
    return { live: staying + (taken.get(key) ?? 0), staying };
  };
}

function before(write: RecordChange): string | undefined {
  return write.kind === "create" ? undefined : keyOf(write.before);
}

function after(write: RecordChange): string | undefined {
  return write.kind === "delete" ? undefined : keyOf(write.after);
}

function addOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function setOf({ owner, type }: ZoneRecord): string {
  return `${nameKey(owner)} ${type}`;
}

function keyOf(record: ZoneRecord): string {
  return `${setOf(record)} ${canonical(record)}`;
}
