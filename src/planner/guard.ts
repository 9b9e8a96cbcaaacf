import type { LiveZone } from "../dns/desired-live.ts";
import { type NameKey, nameKey } from "../dns/name.ts";
import { byOwner, type Owners, type ZoneRecord } from "../dns/zone.ts";
import { writesOf, type ZonePlan } from "./change.ts";
import { type Effect, effectsOf } from "./effects.ts";
import type { ZoneAnswers } from "./guard-lookup.ts";

/** From when on deletions are held; keys as in the config (`guards`). */
export interface Thresholds {
  readonly zone_deletes_least: number;
  readonly zone_deletes_percent: number;
  readonly zone_deletes_most: number;
  readonly run_deletes: number;
  readonly run_zones: number;
}

/** A finding of a guard: the blocked effects, and why. */
export interface Finding {
  readonly text: string;
  readonly effects: readonly Effect[];
  /** Is it about the effects together, not about each of them? */
  readonly isWide?: true;
  /**
   * Facts besides the effects that the finding rests on, such as who points to a name: an approval is bound to them.
   */
  readonly facts?: readonly string[];
}

/** A zone before and after its plan. */
export interface ZoneChange {
  readonly zone: NameKey;
  readonly plan: ZonePlan;
  readonly before: Owners;
  readonly after: Owners;
  readonly effects: readonly Effect[];
  readonly effectsByName: ReadonlyMap<NameKey, readonly Effect[]>;
  /** The names at which records change. */
  readonly changedNames: readonly NameKey[];
  /** The effects that delete where more records go than come. */
  readonly losses: readonly Effect[];
  /** Net number of deleted records, name by name. */
  readonly lost: number;
}

/** A record that points somewhere. */
export interface PointerTo {
  readonly owner: NameKey;
  readonly type: string;
}

/** Input of the guards. */
export interface RunContext {
  readonly zones: readonly ZoneChange[];
  /** The records that point to a name once all is done; in zones that do not change too. By owner. */
  readonly pointersTo: (name: NameKey) => readonly PointerTo[];
  /** Does the zone that a name is in hold records there when all is done, and not hand it to other servers? */
  readonly hasRecords: (name: NameKey) => boolean;
  /** Answers of the zones of the run, before it and after it. */
  readonly answersBefore: ZoneAnswers;
  readonly answersAfter: ZoneAnswers;
  /** The names whose SPF policies include or redirect to that of a name when all is done. */
  readonly spfIncluders: (name: NameKey) => ReadonlySet<NameKey>;
  /** Addresses that may transfer zones of the account now, in lower case. */
  readonly secondaries: () => ReadonlySet<string>;
  readonly thresholds: Thresholds;
  /** As in the plan. */
  readonly unproved: readonly string[];
}

export type GuardId = `G${number}`;

export interface Guard {
  readonly guard: GuardId;
  /** Its subject, in a word or two. */
  readonly title: string;
  /** Changes that it blocks. */
  readonly about: string;
  /** Looks at one zone; at one that is to be created only with `ofNew`. */
  readonly check?: (zone: ZoneChange, context: RunContext) => Iterable<Finding>;
  readonly ofNew?: true;
  /** Looks at a domain that is to be deleted. */
  readonly checkDeletion?: (zone: LiveZone, context: RunContext) => Iterable<Finding>;
  /** Looks at the run as a whole. */
  readonly checkRun?: (context: RunContext) => Iterable<Finding>;
}

export function describeZoneChange(plan: ZonePlan, live: LiveZone | undefined): ZoneChange {
  const before = byOwner(live?.records ?? []);
  const after = byOwner(recordsAfter(plan, live));
  const effects = effectsOf({ zones: [plan] });
  const losing = new Map([...before.keys()].map((owner) => [owner, countAt(before, owner) - countAt(after, owner)]));
  const effectsByName = new Map<NameKey, Effect[]>();
  for (const effect of effects) {
    const known = effectsByName.get(effect.name);
    if (known) known.push(effect);
    else effectsByName.set(effect.name, [effect]);
  }
  const isOfRecord = ({ kind }: Effect) => kind !== "setting" && kind !== "domain";
  return {
    zone: nameKey(plan.zone.name),
    plan,
    before,
    after,
    effects,
    effectsByName,
    changedNames: [...effectsByName].flatMap(([name, list]) => (list.some(isOfRecord) ? [name] : [])),
    losses: effects.filter(({ kind, name }) => kind === "delete" && (losing.get(name) ?? 0) > 0),
    lost: [...losing.values()].reduce((sum, lost) => sum + Math.max(0, lost), 0),
  };
}

/** The records that a zone holds once its plan is carried out. */
function recordsAfter(plan: ZonePlan, live: LiveZone | undefined): ZoneRecord[] {
  const writes = writesOf(plan);
  const gone = new Set(writes.flatMap((write) => (write.kind === "create" ? [] : [write.before.id])));
  return [
    ...(live?.records ?? []).filter(({ id }) => !gone.has(id)),
    ...writes.flatMap((write) => (write.kind === "delete" ? [] : [write.after])),
  ];
}

export function countAt(owners: Owners, owner: NameKey): number {
  return [...(owners.get(owner)?.values() ?? [])].reduce((sum, { records }) => sum + records.length, 0);
}

export function countAll(owners: Owners): number {
  return [...owners.keys()].reduce((sum, owner) => sum + countAt(owners, owner), 0);
}

/** The records of a name and type. */
export function recordsAt<T extends string>(owners: Owners, owner: NameKey, type: T): readonly ZoneRecord<T>[] {
  return owners.get(owner)?.get(type)?.records ?? [];
}

/** The effects of a zone at a name, of one type where it is given. */
export function effectsAt({ effectsByName }: ZoneChange, name: NameKey, ...types: readonly string[]): Effect[] {
  const effects = effectsByName.get(name) ?? [];
  return effects.filter(({ type }) => types.length === 0 || types.includes(type));
}

/** A finding about effects together. */
export function wideFinding(text: string, effects: readonly Effect[]): Finding {
  return { text, effects, isWide: true };
}
