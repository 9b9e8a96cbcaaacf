import { advise } from "../../diagnostics/advice.ts";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import type { ZoneRecord } from "../../dns/zone/zone.ts";
import type { ZoneSettings } from "../../dns/zone/zone-settings.ts";
import { type Plan, writesOf, type ZonePlan } from "../changes/change.ts";
import { digestDesired, digestLive } from "../changes/digests.ts";
import { type Effect, recordEffect, zoneEffects } from "../changes/effects.ts";
import type { Work } from "../order/work.ts";
import { type PlanContext, planZoneWrites } from "../plan.ts";
import { deletionsOf, effectOf, newPlanFix } from "../plan-file/plan-file.ts";
import type { PlanFile } from "../plan-file/plan-schema.ts";
import { createEffectPool, isOfNewZone } from "./remainder.ts";

/** A plan that keeps the edits by others that it was not approved to revert. */
export interface KeptEdits {
  readonly plan: Plan;
  /** The desired zones, with these edits. */
  readonly desired: readonly DesiredZone[];
  readonly edits: readonly Edit[];
  /** Effects that would revert edits of what the plans change. */
  readonly conflicts: readonly Effect[];
}

export interface Edit {
  readonly zone: NameKey;
  /** Effects that would revert the edit. */
  readonly effects: readonly Effect[];
}

/**
 * Keeps live edits outside approved plans. If the desired zone is the same as when a plan was made, an effect that the
 * plan lacks comes from an edit of the live zone. The edit is added to the desired zone, so that it is kept, and is no
 * difference when the zone is read back. All other effects stay for the approval to judge.
 */
export function* keepEdits(
  whole: Plan,
  approved: readonly PlanFile[],
  { desired, live, ...context }: PlanContext & Pick<KeptEdits, "desired"> & { live: ReadonlyMap<NameKey, LiveZone> },
): Work<KeptEdits> {
  const zones = new Map(desired.map((zone) => [nameKey(zone.name), zone]));
  const foreign = new Map<NameKey, ForeignEffects>();
  const conflicts: Effect[] = [];
  for (const zone of whole.zones) {
    const name = nameKey(zone.zone.name);
    const wanted = zones.get(name);
    if (wanted === undefined || !approved.some((file) => isUnchanged(file, wanted, live.get(name)))) continue;
    const own = approved.flatMap(({ changes }) => changes.filter((change) => change.zone === name).map(effectOf));
    const found = foreignIn(zone, own);
    if (found.effects.length === 0) continue;
    foreign.set(name, found);
    conflicts.push(...found.effects.filter((effect) => isInTheWay(effect, own)));
  }
  if (foreign.size === 0 || conflicts.length > 0) return { plan: whole, desired, edits: [], conflicts };
  const kept = desired.map((zone) => withEdits(zone, foreign.get(nameKey(zone.name))));
  const edits = [...foreign].map(([zone, { effects }]) => ({ zone, effects }));
  return { plan: yield* planZoneWrites(kept, live, context), desired: kept, edits, conflicts };
}

/** Whether the desired zone is the one that a plan was made from, and its domain the same. */
function isUnchanged({ source, observed }: PlanFile, zone: DesiredZone, live: LiveZone | undefined): boolean {
  const name = nameKey(zone.name);
  const planned = source.zones.find((one) => one.zone === name)?.desired;
  const id = observed.zones.find((one) => one.zone === name)?.domainId ?? null;
  if (planned === undefined || (id !== null && id !== live?.id)) return false;
  const { settings, records, scope } = digestDesired(zone);
  return planned.settings === settings && planned.records === records && planned.scope === scope;
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
  isIncluded: (zone: NameKey) => boolean,
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
  isIncluded: (zone: NameKey) => boolean,
): Problem[] {
  return deletionsOf(file)
    .filter(isIncluded)
    .flatMap((zone) => {
      const now = live.get(zone);
      const seen = file.observed.zones.find((one) => one.zone === zone);
      if (now === undefined || digestLive(now) === seen?.digest) return [];
      return [
        staleProblem("plan-stale", `${zone.slice(0, -1)}, which the plan deletes, was changed after the plan was made`),
      ];
    });
}

export function staleEffect({ name, type, kind, before }: Effect): Problem {
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

function staleProblem(id: ProblemId, summary: string): Problem {
  return problem(id, summary, { fix: advise`Nothing was written. ${newPlanFix}` });
}
