import { type NameKey, nameKey, sortKey } from "../../dns/name/name.ts";
import {
  type DesiredRecord,
  type DesiredZone,
  isOtherTime,
  isTtlOf,
  type LiveRecord,
  type LiveZone,
} from "../../dns/zone/desired-live.ts";
import { canonical, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { SettingValue } from "../../dns/zone/zone-settings.ts";
import { settingText } from "../../planner/changes/effects.ts";
import { applyScope } from "../../planner/match/match.ts";
import { isOfUnknownType, keepUnstated, ttlAfter } from "../../planner/plan.ts";
import type { Capabilities } from "../../targets/target.ts";
import { withoutSerial } from "../../targets/without-serial.ts";

/**
 * The class of a difference between the snapshot (what was last applied), git and the live zone, where `x`, `y` and `z`
 * stand for different contents, and `–` for none:
 *
 * | snapshot | git | live | class |
 * |---|---|---|---|
 * | x | y | x | `pending`: changed in git, and not applied yet |
 * | x | x | y | `drift`: changed outside git |
 * | x | y | y | `converged`: changed outside git to the same content as in git |
 * | x | y | z | `conflict`: changed in git and outside |
 * | – | – | y | `foreign`: added outside git |
 * | x | – | – | `removed`: deleted in git and outside |
 *
 * Without a snapshot, all that is known is that git and the live zone are different: `differs`.
 */
export const driftClasses = ["conflict", "drift", "foreign", "converged", "removed", "pending", "differs"] as const;

export type DriftClass = (typeof driftClasses)[number];

/** One value of an RRset. */
export interface RecordVersion {
  /** The copies of the record; a live zone can contain several. */
  readonly records: readonly ZoneRecord[];
  /** The TTL of each copy in seconds; that of the zone for those without one. */
  readonly ttls: readonly number[];
}

export interface RecordDifference {
  readonly kind: "record";
  readonly class: DriftClass;
  readonly owner: NameKey;
  readonly type: string;
  readonly snapshot?: RecordVersion | undefined;
  readonly git?: RecordVersion | undefined;
  readonly live?: RecordVersion | undefined;
}

export interface SettingDifference {
  readonly kind: "setting";
  readonly class: DriftClass;
  readonly name: string;
  readonly snapshot?: SettingValue | undefined;
  readonly git?: SettingValue | undefined;
  readonly live?: SettingValue | undefined;
}

/** A zone that does not exist on every side. */
export interface ZoneDifference {
  readonly kind: "zone";
  readonly class: DriftClass;
  /** Undefined if it is unknown. */
  readonly snapshot: boolean | undefined;
  readonly git: boolean;
  readonly live: boolean;
}

export type DriftDifference = RecordDifference | SettingDifference | ZoneDifference;

/** A zone of the project on the three sides. */
export interface ThreeSides {
  /** Undefined if the zone did not exist; "unknown" without a snapshot. */
  readonly snapshot: LiveZone | "unknown" | undefined;
  /** The zone as the service would store it, so that a rounded TTL is no difference. */
  readonly git: DesiredZone;
  readonly live: LiveZone | undefined;
  /** Whose the NS records of the apex are; by default the service's, as in `applyScope`. */
  readonly apex?: Capabilities["apex"] | undefined;
}

/** The differences of a zone, sorted by name and type. Records that a plan leaves alone are not compared. */
export function compareSides({ snapshot, git, live, apex }: ThreeSides): DriftDifference[] {
  const isKnown = snapshot !== "unknown";
  const stored = snapshot === "unknown" ? undefined : snapshot;
  const presence = classOf(isKnown ? stored && "" : null, "", live && "");
  const ofZone: ZoneDifference[] =
    presence === "same"
      ? []
      : [
          {
            kind: "zone",
            class: presence,
            snapshot: isKnown ? stored !== undefined : undefined,
            git: true,
            live: !!live,
          },
        ];
  if (!live) return ofZone;
  // A file of unknown kind is compared as that of a master, whose records it has.
  const before = (stored ?? live).settings;
  const wanted = keepUnstated(git, isOfUnknownType(git, live) ? { ...before, type: "master" } : before);
  return [
    ...ofZone,
    ...compareSettings(wanted, isKnown ? stored : "unknown", live),
    ...compareRecords(wanted, { snapshot, live, apex }),
  ];
}

/** Settings that the file omits are not managed. Only a changed kind or status is a difference even so. */
function compareSettings(git: DesiredZone, snapshot: ThreeSides["snapshot"], live: LiveZone): SettingDifference[] {
  const { defaultTimes, settings: wanted } = git;
  const textOf = (name: string, value: SettingValue | undefined) => {
    return settingText(name, isOtherTime(git, name, value) ? wanted[name] : value, defaultTimes);
  };
  return Object.keys(wanted)
    .filter((name) => wanted[name] !== undefined)
    .sort()
    .flatMap((name): SettingDifference[] => {
      const before = snapshot === "unknown" ? undefined : snapshot?.settings[name];
      const isBefore = snapshot !== "unknown" && snapshot !== undefined;
      const x = snapshot === "unknown" ? null : isBefore ? textOf(name, before) : undefined;
      const found = classOf(x, textOf(name, wanted[name]), textOf(name, live.settings[name]));
      if (found === "same") return [];
      return [{ kind: "setting", class: found, name, snapshot: before, git: wanted[name], live: live.settings[name] }];
    });
}

/** The records of a secondary zone come from its primary and are not compared. */
function compareRecords(
  git: DesiredZone,
  { snapshot, live, apex }: Pick<ThreeSides, "snapshot" | "apex"> & { readonly live: LiveZone },
): RecordDifference[] {
  if (git.settings.type === "slave") return [];
  const defaultTtl = ttlAfter(git, live);
  const sides = [
    snapshot === "unknown" ? [] : keepManaged(git, snapshot, apex),
    git.records,
    keepManaged(git, live, apex),
  ] as const satisfies Sides<readonly ZoneRecord[]>;
  const sets = new Map<string, { owner: NameKey; type: string; values: Map<string, Sides<ZoneRecord[]>> }>();
  for (const [side, records] of sides.entries()) {
    for (const record of records) {
      const { type } = record;
      const owner = nameKey(record.owner);
      const key = `${sortKey(owner)} ${type}`;
      const set = sets.get(key) ?? { owner, type, values: new Map<string, Sides<ZoneRecord[]>>() };
      sets.set(key, set);
      const value = canonical(withoutSerial(record));
      const copies = set.values.get(value) ?? [[], [], []];
      set.values.set(value, copies);
      copies[side as 0 | 1 | 2].push(record);
    }
  }
  const sorted = [...sets].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, set]) => set);
  return sorted.flatMap(({ owner, type, values }) =>
    compareSet(values, defaultTtl, snapshot !== "unknown").map(
      (found): RecordDifference => ({ kind: "record", owner, type, ...found }),
    ),
  );
}

/** The stored records of a zone without those that a plan leaves alone. */
function keepManaged(git: DesiredZone, stored: LiveZone | undefined, apex: ThreeSides["apex"]): readonly LiveRecord[] {
  const left = new Set<ZoneRecord>(applyScope(git, stored, apex).records);
  return stored?.records.filter((record) => !left.has(record)) ?? [];
}

/** Something of the snapshot, of git and of the live zone. */
type Sides<T> = readonly [snapshot: T, git: T, live: T];

type Compared = Pick<RecordDifference, "class" | "snapshot" | "git" | "live">;

/**
 * Compares the values of one RRset. A value that one side lost is paired with one that the same side gained: that is a
 * change of a value. Values that both sides lost are paired first, because a change by both is a conflict.
 */
function compareSet(
  values: ReadonlyMap<string, Sides<readonly ZoneRecord[]>>,
  defaultTtl: number,
  isKnown: boolean,
): Compared[] {
  const all = [...values]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, copies]) => slotOf(value, copies, defaultTtl));
  const take = (snapshot: boolean, git: boolean, live: boolean) =>
    all.filter((one) => !!one.snapshot === snapshot && !!one.git === git && !!one.live === live);
  const [lostByBoth, lostLive, lostGit] = [take(true, false, false), take(true, true, false), take(true, false, true)];
  const [newInBoth, newInGit, newLive] = [take(false, true, true), take(false, true, false), take(false, false, true)];
  const slots: ValueTriple[] = [
    ...take(true, true, true),
    ...pairSlots(lostByBoth, newInBoth),
    ...pairSlots(pairSlots(lostByBoth.splice(0), newInGit, true), newLive, true),
    ...pairSlots(lostLive, newLive),
    ...lostLive,
    ...pairSlots(lostGit, newInGit),
    ...lostGit,
    ...newInBoth,
    // A set that is new on both sides is one decision; additions to an existing set can stand side by side.
    ...(isKnown && all.some(({ snapshot }) => snapshot) ? [] : pairSlots(newInGit, newLive)),
    ...newInGit,
    ...newLive,
  ];
  return slots.flatMap(({ snapshot, git, live }) => {
    const found = classOf(isKnown ? snapshot?.text : null, git?.text, live?.text);
    return found === "same"
      ? []
      : [{ class: found, snapshot: snapshot?.version, git: git?.version, live: live?.version }];
  });
}

/** One value of the snapshot, and its successors in git and in the live zone. */
interface ValueTriple {
  readonly snapshot?: SlotValue | undefined;
  readonly git?: SlotValue | undefined;
  readonly live?: SlotValue | undefined;
}

interface SlotValue {
  /** Equal for equal values with equal TTLs. */
  readonly text: string;
  readonly version: RecordVersion;
}

/** Moves slots from both lists into merged ones, while both have some; `isAll`: returns the other lost ones, too. */
function pairSlots(lost: ValueTriple[], gained: ValueTriple[], isAll = false): ValueTriple[] {
  const number = Math.min(lost.length, gained.length);
  const merged = lost.splice(0, number).map((slot, index) => ({ ...slot, ...requireSlot(gained[index]) }));
  gained.splice(0, number);
  return isAll ? [...merged, ...lost] : merged;
}

function requireSlot(slot: ValueTriple | undefined): ValueTriple {
  return Object.fromEntries(Object.entries(slot ?? {}).filter(([, value]) => value !== undefined));
}

function slotOf(value: string, [snapshot, git, live]: Sides<readonly ZoneRecord[]>, defaultTtl: number): ValueTriple {
  const ttlOf = ({ ttl }: ZoneRecord) => ttl ?? defaultTtl;
  const [wanted] = git as readonly DesiredRecord[];
  // A service rounds in one of two ways, or not at all; a stored TTL of either counts as that of git.
  const stored = (record: ZoneRecord) =>
    wanted && isTtlOf(wanted, ttlOf(record), defaultTtl) ? ttlOf(wanted) : ttlOf(record);
  const side = (records: readonly ZoneRecord[], ttl: (record: ZoneRecord) => number): SlotValue | undefined => {
    if (records.length === 0) return undefined;
    const compared = records.map(ttl).sort((a, b) => a - b);
    return { text: `${compared.join(" ")} ${value}`, version: { records, ttls: records.map(ttlOf) } };
  };
  return { snapshot: side(snapshot, stored), git: side(git, ttlOf), live: side(live, stored) };
}

/** The class of three contents; undefined is absence. The snapshot is null if it is unknown. */
function classOf(
  snapshot: string | null | undefined,
  git: string | undefined,
  live: string | undefined,
): DriftClass | "same" {
  if (snapshot === null) return git === live ? "same" : "differs";
  if (snapshot === git && git === live) return "same";
  if (snapshot === live) return "pending";
  if (snapshot === git) return snapshot === undefined ? "foreign" : "drift";
  if (git === live) return git === undefined ? "removed" : "converged";
  return "conflict";
}
