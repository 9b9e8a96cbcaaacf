import type { DesiredZone, Id, LiveRecord, LiveZone } from "../dns/desired-live.ts";
import { keyOf } from "./compare-live.ts";

/** A record that is stored beside an equal one that is older. */
export interface Duplicate {
  readonly id: Id;
  /** The equal record that stays. */
  readonly kept: Id;
}

/** Records that are stored more often than they are desired, as far as this run created one of them. */
export interface Duplicates {
  /** Created by this run: it deletes them. */
  readonly own: readonly Duplicate[];
  /** Created by others after an equal record of this run: theirs to delete. */
  readonly foreign: readonly Duplicate[];
}

/**
 * Finds what two writers created at the same time. Records are equal in owner, type and data; a TTL does not tell two
 * records of a set apart (RFC 2181 §5.2), so the runs of two checkouts that disagree on it must not both stay.
 *
 * The oldest record stays, as often as the zone desires it; a run deletes only what it created itself. No
 * duplicate outlives the runs that made it, and no value is lost, however their requests interleave:
 * - A target reads equal records in the order in which they became visible, the oldest first. So who created a later
 *   one sees the older one before it in every later reading.
 * - Each run reads a zone back after its own last create. Of equal records, the creator of each but the oldest
 *   therefore finds an older one beside its own, and deletes its own. A run that reads back before another one's create
 *   sees no duplicate and has nothing to do: its own record is the older one.
 * - Nobody deletes the oldest record here, so one stays. Should a third party delete it meanwhile, the run that gave
 *   way to it creates its record again (`ZoneRun`).
 */
export function findDuplicates(live: LiveZone, desired: DesiredZone, created: ReadonlySet<Id>): Duplicates {
  const groups = new Map<string, LiveRecord[]>();
  for (const record of live.records) if (created.has(record.id)) groups.set(keyOf(record), []);
  if (groups.size === 0) return { own: [], foreign: [] };
  for (const record of live.records) groups.get(keyOf(record))?.push(record);
  const wanted = new Map<string, number>();
  for (const record of desired.records) wanted.set(keyOf(record), (wanted.get(keyOf(record)) ?? 0) + 1);
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
