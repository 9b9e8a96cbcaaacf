import { nameKey } from "../../dns/name/name.ts";
import type { DesiredRecord, Id, LiveRecord, LiveZone } from "../../dns/zone/desired-live.ts";
import { canonical, type ZoneRecord } from "../../dns/zone/zone.ts";
import { addToList } from "../../planner/changes/add-to-list.ts";
import { type SettingChange, writesOf, type ZonePlan } from "../../planner/changes/change.ts";
import { settingChanges } from "../../planner/plan.ts";

/** Whether two records are equal. `defaultTtl`, in seconds, applies to records without a TTL. */
export function isSame(wanted: DesiredRecord, stored: ZoneRecord, defaultTtl: number): boolean {
  const ttl = stored.ttl ?? defaultTtl;
  return recordKeyOf(wanted) === recordKeyOf(stored) && (ttl === (wanted.ttl ?? defaultTtl) || ttl === wanted.otherTtl);
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

export interface LiveComparison {
  /** Planned records that changed since planning. */
  readonly changed: readonly LiveRecord[];
  /** Records to create that exist already, with their ids. */
  readonly present: ReadonlyMap<DesiredRecord, Id>;
}

/** Compares a plan with the live zone. Planned changes that someone else has already made are not conflicts. */
export function compareLive(plan: ZonePlan, live: LiveZone): LiveComparison {
  const byId = new Map(live.records.map((record) => [record.id, record]));
  const planned = new Set<Id>();
  const changed: LiveRecord[] = [];
  const creates: DesiredRecord[] = [];
  for (const change of writesOf(plan)) {
    if (change.kind === "create") {
      creates.push(change.after);
      continue;
    }
    planned.add(change.before.id);
    const stored = byId.get(change.before.id);
    const { before, after } = plan.defaultTtl;
    const isBefore = stored && isSame(change.before, stored, before);
    const isAfter = change.kind === "delete" ? !stored : stored && isSame(change.after, stored, after);
    if (!isBefore && !isAfter) changed.push(change.before);
  }
  const others = live.records.filter(({ id }) => !planned.has(id));
  return { changed, present: findPresent(creates, others, plan.defaultTtl.after) };
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

/** Owner, type and data: identical for equal records, whatever their TTLs. */
export function recordKeyOf(record: ZoneRecord): string {
  return `${nameKey(record.owner)} ${record.type} ${canonical(record)}`;
}
