import { advise } from "../../diagnostics/advice.ts";
import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import type { ZoneRecord } from "../../dns/zone/zone.ts";
import type { ZoneSettings } from "../../dns/zone/zone-settings.ts";
import { type Plan, writesOf, type ZonePlan } from "../changes/change.ts";
import { liveDigest } from "../changes/digests.ts";
import { type Effect, effectsOf, recordEffect, zoneEffects } from "../changes/effects.ts";
import type { Work } from "../order/work.ts";
import { type PlanContext, planZoneWrites } from "../plan.ts";
import { deletionsOf, effectOf, newPlanFix } from "../plan-file/plan-file.ts";
import type { PlanFile } from "../plan-file/plan-schema.ts";
import { createEffectPool, isOfNewZone } from "./remainder.ts";

/** The remainder of an approved plan. */
export interface Remaining {
  /** The remaining plan, whose effects are all approved. */
  readonly plan: Plan;
  /** The desired zones, with the edits by others. */
  readonly desired: readonly DesiredZone[];
  /** Approved effects that are already in place. */
  readonly done: readonly Effect[];
  /** Changes by others in the zones of the plan since planning; they are kept. */
  readonly edits: readonly Edit[];
}

export interface Edit {
  readonly zone: NameKey;
  /** Effects that would revert the edit; empty if the edited records are not managed. */
  readonly effects: readonly Effect[];
}

/**
 * The remaining part of an approved plan, given the zones that its files desire and the live zones. Edits elsewhere in
 * the zones are added to the desired zones, so that they are kept now and accepted when the zones are read back.
 * @throws {ProblemError} `plan-stale` if an edit since planning conflicts with an approved effect; `plan-effects` if
 * the remaining effects include unapproved ones.
 */
export function* findRemaining(
  file: PlanFile,
  desired: readonly DesiredZone[],
  live: ReadonlyMap<NameKey, LiveZone>,
  context: PlanContext = {},
): Work<Remaining> {
  const approved = file.changes.map(effectOf);
  const byZone = new Map<NameKey, Effect[]>();
  for (const effect of approved) {
    const list = byZone.get(effect.zone);
    if (list) list.push(effect);
    else byZone.set(effect.zone, [effect]);
  }
  const approvedIn = (zone: NameKey) => byZone.get(zone) ?? [];
  const stale = [...otherDomains(file, live), ...changedDomains(file, live)];
  if (stale.length > 0) throw new ProblemError(stale);
  const { unactivated = new Set() } = context;
  const whole = yield* planZoneWrites(desired, live, { unactivated });
  const foreign = new Map(
    whole.zones.map((zone) => {
      const name = nameKey(zone.zone.name);
      return [name, foreignIn(zone, approvedIn(name))];
    }),
  );
  const inTheWay = [...foreign.values()].flatMap(({ effects }) =>
    effects.filter((effect) => isInTheWay(effect, approvedIn(effect.zone))),
  );
  if (inTheWay.length > 0) throw new ProblemError(inTheWay.map(staleEffect));
  const kept = desired.map((zone) => withEdits(zone, foreign.get(nameKey(zone.name))));
  const left = yield* planZoneWrites(kept, live, {
    ...context,
    deletions: deletionsOf(file).flatMap((name) => live.get(name) ?? []),
  });
  const open = createEffectPool(approved);
  const more = effectsOf(left).filter((effect) => !open.take(effect) && !isOfNewZone(effect, approvedIn(effect.zone)));
  if (more.length > 0) throw new ProblemError(more.map(unapprovedProblem));
  const done = open.left().filter((effect) => !isOfZone(effect, left, live));
  return { plan: left, desired: kept, done, edits: editsOf(file, live, foreign, done) };
}

/** The unapproved effects, and their writes and settings. */
interface ForeignEffects {
  readonly effects: readonly Effect[];
  readonly gone: ReadonlySet<ZoneRecord>;
  readonly kept: readonly ZoneRecord[];
  readonly settings: ZoneSettings;
}

function foreignIn(zone: ZonePlan, approved: readonly Effect[]): ForeignEffects {
  const open = createEffectPool(approved);
  const isForeign = (effect: Effect) => !open.take(effect) && !isOfNewZone(effect, approved);
  const ofZone = zoneEffects(zone).filter(isForeign);
  const writes = writesOf(zone).map((write) => ({ write, effect: recordEffect(write, zone) }));
  const ofRecords = writes.filter(({ effect }) => isForeign(effect));
  const names = new Set(ofZone.map(({ type }) => type));
  return {
    effects: [...ofZone, ...ofRecords.map(({ effect }) => effect)],
    gone: new Set(ofRecords.flatMap(({ write }) => (write.kind === "delete" ? [] : [write.after]))),
    kept: ofRecords.flatMap(({ write }) => (write.kind === "create" ? [] : [write.before])),
    settings: Object.fromEntries(
      zone.settings.filter(({ name }) => names.has(name)).map(({ name, before }) => [name, before]),
    ),
  };
}

/** The zone with the edits of others. */
function withEdits(zone: DesiredZone, foreign: ForeignEffects | undefined): DesiredZone {
  if (foreign === undefined || foreign.effects.length === 0) return zone;
  const records = [...zone.records.filter((record) => !foreign.gone.has(record)), ...foreign.kept];
  return { ...zone, records, settings: { ...zone.settings, ...foreign.settings } };
}

/** Whether it is an approved setting that a new domain, created meanwhile, still lacks. */
function isOfZone({ zone, kind, type }: Effect, left: Plan, live: ReadonlyMap<NameKey, LiveZone>): boolean {
  if (kind !== "setting" || !live.has(zone)) return false;
  return left.zones.some((plan) => nameKey(plan.zone.name) === zone && plan.settings.some(({ name }) => name === type));
}

/** Whether the effect conflicts with one approved in its zone: the same set or setting, or a CNAME at its name. */
function isInTheWay(effect: Effect, approved: readonly Effect[]): boolean {
  return approved.some((one) => {
    if (one.name !== effect.name) return false;
    if (isRecord(one) !== isRecord(effect)) return false;
    return one.type === effect.type || (isRecord(one) && (one.type === "CNAME" || effect.type === "CNAME"));
  });
}

function isRecord({ kind }: Effect): boolean {
  return kind !== "setting" && kind !== "domain";
}

/** The RDATA of one side of an effect, without its TTL. */
export function rdataOfSide(side: string): string {
  return side.replace(/^(?:\d+|default\(\d+\)) /, "");
}

function ttlOf(side: string): string {
  const [, seconds] = /^(\d+) /.exec(side) ?? [];
  return seconds === undefined ? "the zone's TTL" : `TTL ${seconds}`;
}

/** Problems for domains that are not those of the plan any more. */
export function otherDomains(
  file: PlanFile,
  live: ReadonlyMap<NameKey, LiveZone>,
  isIncluded: (zone: NameKey) => boolean = () => true,
): Problem[] {
  return file.observed.zones.flatMap(({ zone, domainId }) => {
    if (!isIncluded(zone)) return [];
    const now = live.get(zone)?.id;
    if (domainId === null || now === domainId) return [];
    if (now === undefined && deletionsOf(file).includes(zone)) return []; // already deleted by someone else
    const name = zone.slice(0, -1);
    const what =
      now === undefined ? "no longer exists, or is not visible to this token" : `was replaced by domain ${now}`;
    return [staleProblem("plan-stale", `domain ${domainId} of ${name} ${what}`)];
  });
}

/** Problems for changed domains that the plan deletes: a deletion is approved together with the records. */
export function changedDomains(
  file: PlanFile,
  live: ReadonlyMap<NameKey, LiveZone>,
  isIncluded: (zone: NameKey) => boolean = () => true,
): Problem[] {
  return deletionsOf(file)
    .filter(isIncluded)
    .flatMap((zone) => {
      const now = live.get(zone);
      const seen = file.observed.zones.find((one) => one.zone === zone);
      if (now === undefined || liveDigest(now) === seen?.digest) return [];
      return [
        staleProblem("plan-stale", `${zone.slice(0, -1)}, which the plan deletes, was changed after the plan was made`),
      ];
    });
}

function staleEffect({ name, type, kind, before }: Effect): Problem {
  const bare = name.slice(0, -1);
  if (!isRecord({ kind } as Effect))
    return staleProblem(
      "plan-stale",
      `${bare}: ${type} changed after the plan was made and is now ${before ?? "not set"}`,
    );
  const now =
    before === null
      ? "a record was deleted after the plan was made"
      : `${rdataOfSide(before)} with ${ttlOf(before)} was added after the plan was made`;
  return staleProblem("plan-stale", `${bare} ${type}: ${now}`);
}

function unapprovedProblem({ kind, name, type, before, after }: Effect): Problem {
  const values = [before, after].flatMap((value) => (value === null ? [] : [rdataOfSide(value)])).join(" to ");
  return staleProblem(
    "plan-effects",
    `it would ${kind} ${name.slice(0, -1)} ${type} ${values}, which was not approved`,
  );
}

function staleProblem(id: ProblemId, summary: string): Problem {
  return problem(id, summary, { fix: advise`Nothing was written. ${newPlanFix}` });
}

/** Edits of zones by others, without those of earlier runs of this plan. */
function editsOf(
  { observed }: PlanFile,
  live: ReadonlyMap<NameKey, LiveZone>,
  foreign: ReadonlyMap<NameKey, ForeignEffects>,
  done: readonly Effect[],
): Edit[] {
  return observed.zones.flatMap(({ zone, digest }): Edit[] => {
    const effects = foreign.get(zone)?.effects ?? [];
    if (effects.length > 0) return [{ zone, effects }];
    const now = live.get(zone);
    const isTouched = now !== undefined && digest !== null && liveDigest(now) !== digest;
    return isTouched && !done.some((effect) => effect.zone === zone) ? [{ zone, effects: [] }] : [];
  });
}
