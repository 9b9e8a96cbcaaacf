import { isInside, type Name, type NameKey, nameKey, sortKey } from "../dns/name/name.ts";
import {
  type DesiredRecord,
  type DesiredZone,
  isOtherTime,
  isTtlOf,
  type LiveRecord,
  type LiveZone,
} from "../dns/zone/desired-live.ts";
import { OwnerSets, type Owners, ownersOf } from "../dns/zone/owners.ts";
import type { SettingValue, ZoneSettings } from "../dns/zone/zone-settings.ts";
import type { Plan, PlanCapabilities, RecordChange, SettingChange, Step, ZonePlan } from "./changes/change.ts";
import { applyScope, matchSet } from "./match/match.ts";
import { type OwnerChanges, unchangedDraft, type ZoneDraft } from "./order/draft.ts";
import { findInvalidStates } from "./order/faults.ts";
import { type Scheduled, schedule, scheduleUnproved } from "./order/schedule.ts";
import { eachOf, type Work } from "./order/work.ts";

/**
 * Plans the writes that turn the live zones into the desired ones. The same zones give the same plan, in any order.
 * Unmanaged zones are listed, and deleted only if they are in `deletions`; those in `beside` only influence the
 * order of the writes.
 */
export function* planZoneWrites(
  desired: Iterable<DesiredZone>,
  live: ReadonlyMap<NameKey, LiveZone>,
  { unmanaged = [], deletions = [], neighbors = [], others = unmanaged, capabilities, unactivated }: PlanContext = {},
): Work<Plan> {
  const all = yield* eachOf(["comparing zones", "zone"], [...desired], (zone) =>
    draftZone(zone, live.get(nameKey(zone.name)), {
      capabilities,
      isUnactivated: unactivated?.has(nameKey(zone.name)),
    }),
  );
  const everyZone = sortByName(all, ({ zone }) => zone.name);
  const sorted = everyZone.filter(({ zone }) => !zone.isCatalog);
  const working = sorted.filter(hasWork);
  const going = sortByName([...deletions], ({ name }) => name);
  // If it is the only write, the state after it is the desired one.
  const ordered = sortByName([...sorted, ...neighbors.map(unchangedDraft)], ({ zone }) => zone.name);
  const scheduled =
    working.length > 0 || going.length > 1
      ? yield* schedule(ordered, { deletions: going, unmanaged: others, capabilities })
      : undefined;
  const ofZones = working.map((draft) => zonePlan(draft, scheduled?.zones.get(draft) ?? { steps: [] }));
  const catalogs = everyZone.filter((draft) => draft.zone.isCatalog && hasWork(draft));
  const zones = [...ofZones, ...(yield* planCatalogs(catalogs, ofZones, capabilities))];
  const faults = yield* eachOf(["simulating writes", "zone"], [...working, ...catalogs], (draft, index) =>
    findInvalidStates(draft, zones[index]?.steps ?? []),
  );
  return {
    zones,
    unproved: faults.flat(),
    ...(scheduled && scheduled.overLimit.length > 0 && { overLimit: scheduled.overLimit }),
    ...(scheduled && scheduled.tooLarge.length > 0 && { tooLarge: scheduled.tooLarge }),
    inSync: all.length - zones.length,
    ignored: all.reduce((sum, { ignored }) => sum + ignored, 0),
    unsupported: everyZone.flatMap(({ zone }) => zone.unsupported ?? []),
    deletions: scheduled?.deletions ?? going,
    unmanaged: sortByName([...unmanaged], (name) => name),
  };
}

/** The plans of catalog zones, after those of other zones: resolvers ask for no record of them. */
function* planCatalogs(
  catalogs: readonly ZoneDraft[],
  before: readonly ZonePlan[],
  capabilities: PlanCapabilities | undefined,
): Work<ZonePlan[]> {
  if (catalogs.length === 0) return [];
  const { zones } = yield* schedule(catalogs, { capabilities });
  let [id, set] = [0, 0];
  for (const step of before.flatMap((zone) => zone.steps))
    [id, set] = [Math.max(id, step.id), Math.max(set, step.set ?? 0)];
  const isAfter = (step: Step): Step => ({
    ...step,
    id: step.id + id,
    ...(step.set !== undefined && { set: step.set + set }),
    needs: step.needs.map((need) => need + id),
  });
  return catalogs.map((draft) => zonePlan(draft, { steps: (zones.get(draft)?.steps ?? []).map(isAfter) }));
}

/** The other zones of the account, and its capabilities. */
export interface PlanContext {
  /** Zones without a zone file. */
  readonly unmanaged?: readonly Name[];
  /** Zones to delete. */
  readonly deletions?: readonly LiveZone[];
  /** Zones above or below one that starts or stops being served. */
  readonly neighbors?: readonly LiveZone[];
  /** The names of all other zones. */
  readonly others?: readonly Name[];
  /** Live zones that runs of the project left disabled, or whose activation an undo restores. */
  readonly unactivated?: ReadonlySet<NameKey>;
  /** The capabilities of the service, from its target. */
  readonly capabilities?: PlanCapabilities;
}

/**
 * Tests whether a name is above or below a zone that starts or stops being served: such zones answer for each other's
 * names.
 */
export function createNeighborTest(
  desired: Iterable<DesiredZone>,
  live: ReadonlyMap<NameKey, LiveZone>,
  going: readonly NameKey[] = [],
): (name: NameKey) => boolean {
  const isServedNow = (name: NameKey) => live.has(name) && live.get(name)?.settings.status !== "disabled";
  const after = new Map([...desired].map(({ name, settings }) => [nameKey(name), settings.status !== "disabled"]));
  for (const name of going) after.set(name, false);
  const activated = [...after].flatMap(([name, isServed]) => (isServed === isServedNow(name) ? [] : [name]));
  return (name) => activated.some((zone) => isInside(name, zone) || isInside(zone, name));
}

/** The writes that one zone still needs, for messages only: their order is not checked. */
export function planZone(desired: DesiredZone, live: LiveZone | undefined, capabilities: PlanCapabilities): ZonePlan {
  const draft = draftZone(desired, live, { capabilities });
  return zonePlan(draft, scheduleUnproved(draft));
}

/** The zone with the settings that its file leaves open: those that it has, or those of a new zone. */
export function keepUnstated(
  { unstated = [], ...zone }: DesiredZone,
  { type = "master", status = "active" }: Pick<ZoneSettings, "type" | "status"> = {},
): DesiredZone {
  if (unstated.length === 0) return zone;
  const kept = { type, status };
  return { ...zone, settings: { ...zone.settings, ...Object.fromEntries(unstated.map((name) => [name, kept[name]])) } };
}

/** Whether the file has records of a zone, but no type, and the live zone has those of its masters. */
export function isOfUnknownType({ unstated, records, unsupported }: DesiredZone, live: LiveZone | undefined): boolean {
  return (
    live?.settings.type === "slave" &&
    unstated?.includes("type") === true &&
    records.length + (unsupported?.length ?? 0) > 0
  );
}

function zonePlan(draft: ZoneDraft, { steps, activation }: Scheduled): ZonePlan {
  const { zone, domainId, settings, defaultTtl, unchanged, ignored } = draft;
  return { zone, domainId, settings, defaultTtl, steps, ...(activation && { activation }), unchanged, ignored };
}

function hasWork({ domainId, settings, changes }: ZoneDraft): boolean {
  return domainId === undefined || settings.length > 0 || changes.length > 0;
}

export function isInSync({ domainId, settings, steps }: ZonePlan): boolean {
  return domainId !== undefined && settings.length === 0 && steps.length === 0;
}

interface DraftOptions {
  readonly capabilities?: PlanCapabilities | undefined;
  readonly isUnactivated?: boolean | undefined;
}

/** The settings of a new zone: it is served, and of the usual kind of its service. */
function settingsOfNew(settings: ZoneSettings, known: PlanCapabilities["settings"]): ZoneSettings {
  const kind = known?.find(({ name }) => name === "kind")?.default;
  const hasStatus = known?.some(({ name }) => name === "status") ?? true;
  return {
    ...settings,
    ...(kind !== undefined && { kind: settings.kind ?? kind }),
    ...(hasStatus && { status: settings.status ?? "active" }),
  };
}

/** Changes in one zone, unordered. The records of a secondary zone come from its primary and are not compared. */
function draftZone(
  stated: DesiredZone,
  live: LiveZone | undefined,
  { capabilities, isUnactivated }: DraftOptions = {},
): ZoneDraft {
  const kept = keepUnstated(stated, isUnactivated ? { ...live?.settings, status: "active" } : live?.settings);
  const settings = live ? kept.settings : settingsOfNew(kept.settings, capabilities?.settings);
  const desired = { ...kept, settings, ...(isUnactivated && { isUnactivated }) };
  const defaultTtl = { before: live?.settings.ttl_sec || desired.defaultTimes.ttl_sec, after: ttlAfter(desired, live) };
  const sameTtl = (wanted: DesiredRecord, stored: LiveRecord) =>
    isTtlOf(wanted, stored.ttl ?? defaultTtl.after, defaultTtl.after);
  const scope = applyScope(desired, live, capabilities?.apex);
  const isCompared = desired.settings.type !== "slave";
  const before = isCompared && live ? inFixedOrder(ownersOf(live.records)) : noOwners;
  const after = isCompared ? inFixedOrder(ownersOf(scope.records)) : noOwners;
  const owners: OwnerChanges[] = [];
  let unchanged = 0;
  const compare = (owner: NameKey, stored: OwnerSets | undefined, wanted: OwnerSets | undefined) => {
    let changes: RecordChange[] | undefined;
    for (const type of typesOf(stored, wanted)) {
      const [old = [], next = []] = [
        stored?.recordsOf(type) as readonly LiveRecord[] | undefined,
        wanted?.recordsOf(type),
      ];
      const match = matchSet(next, old, sameTtl);
      unchanged += match.unchanged;
      if (match.changes.length > 0) changes = changes ? [...changes, ...match.changes] : match.changes;
    }
    if (changes) owners.push({ owner, changes });
  };
  for (const [owner, stored] of before) compare(owner, stored, after.get(owner));
  for (const [owner, wanted] of after) if (!before.has(owner)) compare(owner, undefined, wanted);
  return {
    zone: desired,
    domainId: live?.id,
    settings: live ? settingChanges(desired, live.settings) : [],
    defaultTtl,
    live,
    records: scope.records,
    before,
    after,
    changes: sortByName(owners, ({ owner }) => owner),
    unchanged,
    ignored: scope.ignored,
  };
}

const noOwners: Owners = new Map();

/** Sorts by owner and type, so that the choice between equivalent orders does not depend on the input. */
function inFixedOrder(owners: Owners): Owners {
  if (isInOrder(owners)) return owners;
  const sorted = new Map<NameKey, OwnerSets>();
  for (const owner of [...owners.keys()].sort()) {
    const sets = owners.get(owner);
    if (sets) sorted.set(owner, sets.values().length > 1 ? sortByType(sets) : sets);
  }
  return sorted;
}

function isInOrder(owners: Owners): boolean {
  if (!(owners instanceof Map)) return false;
  let last = "";
  for (const [owner, sets] of owners) {
    if (owner < last || sets.values().length > 1) return false;
    last = owner;
  }
  return true;
}

function sortByType(sets: OwnerSets): OwnerSets {
  const sorted = new OwnerSets();
  for (const set of sets.values().toSorted((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0))) sorted.add(set);
  return sorted;
}

function typesOf(stored: OwnerSets | undefined, wanted: OwnerSets | undefined): string[] {
  if (!stored || !wanted) return (stored ?? wanted)?.keys().sort() ?? [];
  const types = stored.keys();
  for (const type of wanted.keys()) if (!stored.has(type)) types.push(type);
  return types.sort();
}

/** The zone's default TTL after its settings are written, in seconds. */
export function ttlAfter(desired: DesiredZone, live: LiveZone | undefined): number {
  const { settings, defaultTimes } = desired;
  const stored = live?.settings.ttl_sec;
  const wanted = settings.ttl_sec ?? stored;
  return (isOtherTime(desired, "ttl_sec", stored) ? Number(stored) : wanted) || defaultTimes.ttl_sec;
}

/** Settings that the file omits are unchanged. */
export function settingChanges(desired: DesiredZone, stored: LiveZone["settings"]): SettingChange[] {
  const { settings, defaultTimes } = desired;
  return Object.keys(settings)
    .sort()
    .flatMap((name): SettingChange[] => {
      const before = stored[name];
      const after = settings[name];
      if (after === undefined || sameSetting(before, after, defaultTimes[name])) return [];
      return isOtherTime(desired, name, before) ? [] : [{ name, before, after }];
    });
}

/** `zero`: the meaning of 0. */
function sameSetting(before: SettingValue | undefined, after: SettingValue, zero: number | undefined): boolean {
  if (Array.isArray(before) && Array.isArray(after)) return asSet(before) === asSet(after);
  return (before || zero) === (after || zero);
}

function asSet(list: readonly string[]): string {
  return [...new Set(list.map((item) => item.toLowerCase()))].sort().join("\n");
}

function sortByName<T>(items: T[], nameOf: (item: T) => Name): T[] {
  return items
    .map((item) => ({ item, key: sortKey(nameOf(item)) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ item }) => item);
}
