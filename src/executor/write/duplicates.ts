import type { DesiredZone, Id, LiveRecord, LiveZone } from "../../dns/zone/desired-live.ts";
import { recordKeyOf } from "./compare-live.ts";

/** A record for which an older, equal record exists. */
export interface Duplicate {
  readonly id: Id;
  /** The equal record that is kept. */
  readonly kept: Id;
}

/** Records stored more often than desired, of which this run created at least one. */
export interface Duplicates {
  /** Created by this run, which deletes them. */
  readonly own: readonly Duplicate[];
  /** Created by another run after an equal record of this one; that run deletes them. */
  readonly foreign: readonly Duplicate[];
}

/**
 * Finds records that two writers created at the same time. Records are equal if owner, type and data are; TTLs do not
 * distinguish records of a set (RFC 2181 §5.2), so of two checkouts that disagree on a TTL only one record may be kept.
 *
 * The oldest records are kept, as many as the zone desires; a run deletes only records that it created itself. No
 * duplicate outlives the runs that created it, and no value is lost, however their requests interleave:
 * - A target lists equal records in the order in which they became visible, the oldest first. The creator of a later
 *   one therefore sees the older one before it in every later reading.
 * - Each run reads a zone back after its own last create. Of equal records, the creator of each but the oldest
 *   therefore finds an older one beside its own, and deletes its own. A run that reads back before the other one
 *   creates its record sees no duplicate and has nothing to do: its own record is the older one.
 * - The oldest record is never deleted here, so one remains. If a third party deletes it meanwhile, the run that
 *   deleted its duplicate creates the record again (`ZoneRun`).
 */
export function findDuplicates(live: LiveZone, desired: DesiredZone, created: ReadonlySet<Id>): Duplicates {
  const groups = new Map<string, LiveRecord[]>();
  for (const record of live.records) if (created.has(record.id)) groups.set(recordKeyOf(record), []);
  if (groups.size === 0) return { own: [], foreign: [] };
  for (const record of live.records) groups.get(recordKeyOf(record))?.push(record);
  const wanted = new Map<string, number>();
  for (const record of desired.records) wanted.set(recordKeyOf(record), (wanted.get(recordKeyOf(record)) ?? 0) + 1);
  const own: Duplicate[] = [];
  const foreign: Duplicate[] = [];
  for (const [key, records] of groups) {
    const ids = records.map(({ id }) => id);
    const stays = ids.slice(0, Math.max(1, wanted.get(key) ?? 1));
    const [kept] = stays;
    if (kept === undefined) continue;
    const isOursKept = stays.some((id) => created.has(id));
    for (const id of ids.slice(stays.length)) {
      if (created.has(id)) own.push({ id, kept });
      else if (isOursKept) foreign.push({ id, kept });
    }
  }
  return { own, foreign };
}
