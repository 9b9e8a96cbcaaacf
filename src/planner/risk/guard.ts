import { count } from "../../diagnostics/quantities.ts";
import type { RuleId } from "../../diagnostics/registry.ts";
import { type ExposedRecords, findExposedIn, hostedTypes, type ProofIndex } from "../../dns/lookup/hosted-services.ts";
import type { FreedAddress } from "../../dns/name/freed-address.ts";
import { type NameKey, nameKey, withoutDot } from "../../dns/name/name.ts";
import type { KnownType } from "../../dns/types/index.ts";
import type { DesiredZone, LiveRecord, LiveZone } from "../../dns/zone/desired-live.ts";
import { byOwner, type Owners, ownersOf } from "../../dns/zone/owners.ts";
import { canonical, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { Setting } from "../../dns/zone/zone-settings.ts";
import { addToList } from "../../group-by.ts";
import { equalRecords, type RecordChange, subject, writesOf, type ZonePlan } from "../changes/change.ts";
import { type Effect, effectsOf } from "../changes/effects.ts";
import type { ZoneAnswers } from "./lookup.ts";

/** The thresholds of guards; keys as in the config (`guards`). */
export interface Thresholds {
  readonly zone_deletes_least: number;
  readonly zone_deletes_percent: number;
  readonly zone_deletes_most: number;
  readonly zone_creates_least: number;
  readonly zone_creates_percent: number;
  readonly zone_creates_most: number;
  readonly run_deletes: number;
  readonly run_zones: number;
  readonly expire_sec_least: number;
}

/** A finding of a guard: the blocked effects, and why. */
export interface Finding {
  readonly text: string;
  readonly effects: readonly Effect[];
  /** Whether the finding concerns the effects together, not each of them. */
  readonly isWide?: true;
  /** Further facts behind the finding, such as the records that point to a name: an approval is bound to them. */
  readonly facts?: readonly string[];
}

/** A zone before and after its plan. */
export interface ZoneChange {
  readonly zone: NameKey;
  /** Without the deletions of records of which equal ones stay: no answer is lost by them. */
  readonly plan: ZonePlan;
  readonly before: Owners;
  readonly after: Owners;
  readonly effects: readonly Effect[];
  readonly effectsByName: ReadonlyMap<NameKey, readonly Effect[]>;
  /** The names at which records change. */
  readonly changedNames: readonly NameKey[];
}

/** A record that points to a name. */
export interface PointerTo {
  readonly owner: NameKey;
  readonly type: string;
}

/** Input of the guards. */
export interface GuardContext {
  readonly zones: readonly ZoneChange[];
  /** The records that point to a name after the run, including those of unchanged zones, by owner. */
  readonly pointersTo: (name: NameKey) => readonly PointerTo[];
  /** All names that `pointersTo` has records for. */
  readonly pointedNames: () => Iterable<NameKey>;
  /** The delegations to a name server, in the zones of the run after it. */
  readonly delegationsTo: (server: NameKey) => readonly NameKey[];
  /** The name servers of a zone inside it. */
  readonly serversOf: (zone: DesiredZone) => ReadonlySet<NameKey>;
  /** Whether the zone of a name has records there after the run and does not delegate it. */
  readonly hasRecords: (name: NameKey) => boolean;
  /** Answers of the zones of the run, before it and after it. */
  readonly answersBefore: ZoneAnswers;
  readonly answersAfter: ZoneAnswers;
  /** Answers of the zones outside the run, by their files. */
  readonly answersElsewhere: () => ZoneAnswers;
  /** The names whose SPF policies include or redirect to that of a name after the run. */
  readonly spfIncluders: (name: NameKey) => ReadonlySet<NameKey>;
  /** Addresses that may transfer zones of the account now, in lower case. */
  readonly secondaries: () => ReadonlySet<string>;
  /** The addresses that a node of the account had and none has now, as far as they are known. */
  readonly freed: ReadonlyMap<string, FreedAddress>;
  /** Why resolvers may still ask for zones that are deleted on one of their targets. */
  readonly inUse: ReadonlyMap<NameKey, readonly string[]>;
  /** Why resolvers get no addresses for the ALIAS records of zones. */
  readonly unanswered: ReadonlyMap<NameKey, string>;
  readonly thresholds: Thresholds;
  /** The settings that the target has. */
  readonly settings: readonly Setting[];
  /** The errors of the plan's order. */
  readonly unproved: readonly string[];
}

/** Whether a zone has effects that a guard is about. */
export function concerns({ of: { kinds, types } = {}, ofCatalogs }: Guard, { effects, plan }: ZoneChange): boolean {
  if (plan.zone.isCatalog && !ofCatalogs) return false;
  const isMeant = ({ kind, type }: Effect) => (kinds?.includes(kind) ?? true) && (types?.includes(type) ?? true);
  return (kinds === undefined && types === undefined) || effects.some(isMeant);
}

/** The limit of a guard that blocks every change of its kind. */
export const noLimit = "There is no limit: each one is blocked.";

export type GuardId = `G${number}`;

/**
 * Changes with the default thresholds: records of example.com in master file syntax, with the sign of their change.
 * `zone NAME` begins another zone, and `{1..4}` stands for four lines.
 */
export type ExampleLines = readonly string[];

export interface BlockedExample {
  readonly lines: ExampleLines;
  /** The message of the plan. */
  readonly finding: string;
  /** The zone of the acknowledgement; by default example.com. */
  readonly zone?: string;
  /** The guards that block the changes as well. */
  readonly also?: readonly GuardId[];
}

export interface GuardExamples {
  /** Changes that no guard blocks. */
  readonly valid: ExampleLines;
  /** Changes that this guard blocks, and no other one but those of `also`. */
  readonly invalid: BlockedExample;
  /** Changes that it blocks in the run as a whole, if it checks each zone as well. */
  readonly invalidOfRun?: BlockedExample;
}

/** One file in `guards/`, which is named after the title. */
export interface Guard {
  readonly guard: GuardId;
  /** The id of a former guard that is now the check of the run as a whole; approvals may still name it. */
  readonly formerIdOfRun?: GuardId;
  /** The subject, in a word or two. */
  readonly title: string;
  /** The end of the sentence "Blocks a plan that …". */
  readonly about: string;
  /** The counted or compared changes, and their limit. */
  readonly counts: string;
  readonly thresholds?: readonly (keyof Thresholds)[];
  /** The setting of a zone file that switches it off for one name. */
  readonly zoneSetting?: string;
  /** Missing only where no zone is an example: if zonewright itself is at fault. */
  readonly examples?: GuardExamples;
  /** The effects that it is about: a zone without any of them is not checked. Without them, each zone is. */
  readonly of?: { readonly kinds?: readonly Effect["kind"][]; readonly types?: readonly string[] };
  /** Checks one zone; a new one only with `ofNew`. */
  readonly check?: (zone: ZoneChange, context: GuardContext) => Iterable<Finding>;
  readonly ofNew?: true;
  /** Whether it also checks catalog zones, whose records are not looked up. */
  readonly ofCatalogs?: true;
  /** Checks the deletion of a domain. */
  readonly checkDeletion?: (zone: LiveZone, context: GuardContext) => Iterable<Finding>;
  /** Checks the run as a whole. */
  readonly checkRun?: (context: GuardContext) => Iterable<Finding>;
}

export function describeZoneChange(whole: ZonePlan, live: LiveZone | undefined): ZoneChange {
  const before = ownersOf(live?.records ?? noRecords);
  const after = ownersAfter(whole, before);
  const plan = withoutEqual(whole);
  const effects = effectsOf({ zones: [plan] });
  const effectsByName = new Map<NameKey, Effect[]>();
  for (const effect of effects) addToList(effectsByName, effect.name, effect);
  const isOfRecord = ({ kind }: Effect) => kind !== "setting" && kind !== "domain";
  return {
    zone: nameKey(plan.zone.name),
    plan,
    before,
    after,
    effects,
    effectsByName,
    changedNames: [...effectsByName].flatMap(([name, list]) => (list.some(isOfRecord) ? [name] : [])),
  };
}

const noRecords: readonly ZoneRecord[] = [];

/** The plan without the deletions of records of which equal ones stay. */
function withoutEqual(plan: ZonePlan): ZonePlan {
  const countEqual = equalRecords(plan);
  const isLoss = (write: RecordChange) => write.kind !== "delete" || countEqual(write).staying === 0;
  if (writesOf(plan).every(isLoss)) return plan;
  const steps = plan.steps.map((step) => ({ ...step, writes: step.writes.filter(isLoss) }));
  return { ...plan, steps: steps.filter(({ writes }) => writes.length > 0) };
}

/** The records of a zone after its plan. Names without changes keep their sets. */
function ownersAfter(plan: ZonePlan, before: Owners): Owners {
  const writes = writesOf(plan);
  const gone = new Set(writes.flatMap((write) => (write.kind === "create" ? [] : [write.before.id])));
  const names = new Set(writes.map((write) => nameKey(subject(write).owner)));
  const recordsOf = (name: NameKey) => (before.get(name)?.values() ?? []).flatMap(({ records }) => records);
  const stored = [...names].flatMap(recordsOf);
  const staying = stored.filter((record) => !gone.has((record as LiveRecord).id));
  const added = writes.flatMap((write) => (write.kind === "delete" ? [] : [write.after]));
  const after = new Map(before);
  const stay = new Set(staying.map(({ owner }) => nameKey(owner)));
  for (const name of names) if (!stay.has(name)) after.delete(name);
  for (const [name, sets] of byOwner([...staying, ...added])) after.set(name, sets);
  return after;
}

function countAt(owners: Owners, owner: NameKey): number {
  let count = 0;
  for (const { records } of owners.get(owner)?.values() ?? []) count += records.length;
  return count;
}

export function countAll(owners: Owners): number {
  let count = 0;
  for (const owner of owners.keys()) count += countAt(owners, owner);
  return count;
}

export function recordsAt<T extends string>(owners: Owners, owner: NameKey, type: T): readonly ZoneRecord<T>[] {
  return owners.get(owner)?.get(type)?.records ?? [];
}

/** The effects of a zone at a name, of the given types if any. */
export function effectsAt({ effectsByName }: ZoneChange, name: NameKey, ...types: readonly string[]): Effect[] {
  const effects = effectsByName.get(name) ?? [];
  return effects.filter(({ type }) => types.length === 0 || types.includes(type));
}

/** The records that a plan adds to names of a zone, but not those that they have and whose TTL changes. */
export function* newRecords<T extends KnownType>(
  { effects, before, after }: ZoneChange,
  ...types: readonly T[]
): Generator<{ readonly effect: Effect; readonly record: ZoneRecord<T> }> {
  for (const effect of effects) {
    const type = types.find((one) => one === effect.type);
    if (type === undefined || effect.after === null) continue;
    const text = effect.after.slice(effect.after.indexOf(" ") + 1);
    const isSame = (record: ZoneRecord) => canonical(record) === text;
    if (recordsAt(before, effect.name, type).some(isSame)) continue;
    const record = recordsAt(after, effect.name, type).find(isSame);
    if (record) yield { effect, record };
  }
}

/** The names whose zone file lowers the severity of a rule. */
export function excusedNames({ plan }: ZoneChange, rule: RuleId): ReadonlySet<NameKey> {
  return new Set((plan.zone.excused ?? []).flatMap((one) => (one.rule === rule ? [nameKey(one.owner)] : [])));
}

/** A finding about several effects together. */
export function wideFinding(text: string, effects: readonly Effect[]): Finding {
  return { text, effects, isWide: true };
}

/** The first names of a list, and the number of the others. */
export function listNames(names: readonly NameKey[]): string {
  const more = names.length > 3 ? ` and ${count(names.length - 3, "more name")}` : "";
  return `${names.slice(0, 3).map(withoutDot).join(", ")}${more}`;
}

/** The records of a name after a plan that point to services at which others could claim it. */
export function findExposedAt({ zone, after }: ZoneChange, name: NameKey, proofs: ProofIndex): ExposedRecords[] {
  const sets = hostedTypes.flatMap((type) => after.get(name)?.get(type) ?? []);
  return sets.flatMap((set) => findExposedIn(set, zone, () => proofs));
}
