import {
  type DesiredRecord,
  type DesiredZone,
  type Id,
  isTtlOf,
  type LiveRecord,
  type LiveZone,
} from "../../dns/zone/desired-live.ts";
import { recordKeyOf, type ZoneRecord } from "../../dns/zone/zone.ts";
import { addToList } from "../../group-by.ts";
import { type RecordChange, type SettingChange, writesOf, type ZonePlan } from "../../planner/changes/change.ts";
import { settingChanges } from "../../planner/plan.ts";
import { contentId } from "../../targets/content-id.ts";
import type { Capabilities } from "../../targets/target.ts";

/** Whether two records are equal. `defaultTtl`, in seconds, applies to records without a TTL. */
export function isSame(wanted: DesiredRecord, stored: ZoneRecord, defaultTtl: number): boolean {
  return recordKeyOf(wanted) === recordKeyOf(stored) && isTtlOf(wanted, stored.ttl ?? defaultTtl, defaultTtl);
}

/** State of the settings to change: already as desired, still as planned, or changed by others. */
export function settingsState(
  changes: readonly SettingChange[],
  plan: ZonePlan,
  settings: LiveZone["settings"],
): "done" | "before" | "changed" {
  const left = new Set(settingChanges(plan.zone, settings).map(({ name }) => name));
  const open = changes.filter(({ name }) => left.has(name));
  if (open.length === 0) return "done";
  const isBefore = open.every(({ name, before }) => JSON.stringify(settings[name]) === JSON.stringify(before));
  return isBefore ? "before" : "changed";
}

interface LiveComparison {
  /** Planned records that changed since planning. */
  readonly changed: readonly LiveRecord[];
  /** Records to create that exist already, with their ids. */
  readonly present: ReadonlyMap<DesiredRecord, Id>;
  /** Changes that someone else has already made. */
  readonly done: ReadonlySet<RecordChange>;
}

/** Compares a plan with the live zone. Planned changes that someone else has already made are not conflicts. */
export function compareLive(plan: ZonePlan, live: LiveZone, { ids }: Pick<Capabilities, "ids">): LiveComparison {
  const byId = new Map(live.records.map((record) => [record.id, record]));
  const planned = new Set<Id>();
  const changed: LiveRecord[] = [];
  const creates = new Map<DesiredRecord, RecordChange>();
  const done = new Set<RecordChange>();
  for (const change of writesOf(plan)) {
    if (change.kind === "create") {
      creates.set(change.after, change);
      continue;
    }
    planned.add(change.before.id);
    const stored = byId.get(change.before.id);
    const { before, after } = plan.defaultTtl;
    const isBefore = stored && isSame(change.before, stored, before);
    const written = ids === "content" && change.kind === "update" ? byId.get(contentId(change.after)) : stored;
    const isAfter = change.kind === "delete" ? !stored : written && isSame(change.after, written, after);
    // Without ids, a record that has the new value already stays beside the old one.
    if (isAfter && (written === stored || !stored)) done.add(change);
    else if (!isBefore) changed.push(change.before);
  }
  const others = live.records.filter(({ id }) => !planned.has(id));
  const present = findPresent([...creates.keys()], others, plan.defaultTtl.after);
  for (const [record, change] of creates) if (present.has(record)) done.add(change);
  return { changed, present, done };
}

/** The records to create that exist already; each stored record is one of them at most. */
function findPresent(
  creates: readonly DesiredRecord[],
  others: readonly LiveRecord[],
  defaultTtl: number,
): Map<DesiredRecord, Id> {
  const byKey = new Map<string, LiveRecord[]>();
  for (const stored of others) addToList(byKey, recordKeyOf(stored), stored);
  const present = new Map<DesiredRecord, Id>();
  for (const create of creates) {
    const same = byKey.get(recordKeyOf(create)) ?? [];
    const index = same.findIndex((stored) => isSame(create, stored, defaultTtl));
    const [stored] = index >= 0 ? same.splice(index, 1) : [];
    if (stored) present.set(create, stored.id);
  }
  return present;
}

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
