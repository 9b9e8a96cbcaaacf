import { advise } from "../../diagnostics/advice.ts";
import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import type { NameKey } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import type { ZoneEvent } from "../../dns/zone/zone-event.ts";
import { digestLive } from "../changes/digests.ts";
import type { Effect } from "../changes/effects.ts";
import { effectOf, newPlanFix } from "../plan-file/plan-file.ts";
import type { PlanFile } from "../plan-file/plan-schema.ts";
import { createPlaceTest } from "./in-place.ts";

/** Describes an event as a clause: user, action, record and time. */
export type EventText = (event: ZoneEvent) => string;

/**
 * Rejects the remaining effects on records that were written since planning: someone applied the plan from another
 * checkout, or made the change by hand, and reverted it. `mine` are the names and types that runs of this plan wrote
 * from this checkout; their own events are ignored.
 * @throws {ProblemError} `plan-rolled-back`
 */
export function checkRolledBack(
  file: PlanFile,
  left: readonly Effect[],
  live: ReadonlyMap<NameKey, LiveZone>,
  { events, textOf, mine }: { events: readonly ZoneEvent[]; textOf: EventText; mine: ReadonlySet<string> },
): void {
  const looksUntouched = untouchedZones(file, live);
  const found = new Map<string, { what: string; events: readonly ZoneEvent[] }>();
  const isInPlace = createPlaceTest(live);
  const done = new Map<string, Effect[]>();
  for (const effect of file.changes.map(effectOf).filter(isInPlace))
    done.set(effectKey(effect), [...(done.get(effectKey(effect)) ?? []), effect]);
  for (const effect of left) {
    const key = effectKey(effect);
    if (mine.has(key)) continue;
    const own = events.filter((event) => isAbout(event, effect, looksUntouched.has(effect.zone)));
    // A run elsewhere that ended early: each of its writes is one of the effects that are in place.
    if (wereWrites(own, done.get(key) ?? [])) continue;
    const what = subjectOf(effect, own);
    if (own.length > 0 && !found.has(what)) found.set(what, { what, events: own });
  }
  if (found.size > 0)
    throw new ProblemError([...found.values()].map(({ what, events }) => rolledBackProblem(what, events, textOf)));
}

/** The record or setting, or the whole zone if its events are not more specific. */
function subjectOf({ kind, zone, name, type }: Effect, events: readonly ZoneEvent[]): string {
  const isOfZone = kind !== "setting" && events.every(({ records }) => records.length === 0);
  return isOfZone ? `the zone ${zone.slice(0, -1)}` : `${name.slice(0, -1)} ${type}`;
}

/** The key of the records or setting of an effect. */
export function effectKey({ zone, name, type }: Pick<Effect, "zone" | "name" | "type">): string {
  return `${zone} ${name} ${type}`;
}

const kinds = { dns_record_create: "create", dns_record_update: "change", dns_record_delete: "delete" } as const;

/** Whether each event can be a write of one of these effects; an update may be a delete and a create. */
function wereWrites(events: readonly ZoneEvent[], effects: readonly Effect[]): boolean {
  const left = { create: 0, change: 0, delete: 0, setting: 0, domain: 0 };
  for (const { kind } of effects) left[kind]++;
  for (const { action, records } of events) {
    if (!Object.hasOwn(kinds, action) || records.length === 0) return false;
    left[kinds[action as keyof typeof kinds]]--;
  }
  return left.create >= 0 && left.delete >= 0 && left.change + Math.min(left.create, left.delete) >= 0;
}

/** Zones that are identical to those at planning: writes to them were reverted. */
function untouchedZones({ observed }: PlanFile, live: ReadonlyMap<NameKey, LiveZone>): Set<NameKey> {
  const same = observed.zones.filter(({ zone, digest }) => {
    const now = live.get(zone);
    return now === undefined ? digest === null : digestLive(now) === digest;
  });
  return new Set(same.map(({ zone }) => zone));
}

/** If the log does not name the record, any write to an apparently unchanged zone may have been this one. */
function isAbout({ zone, action, records }: ZoneEvent, effect: Effect, looksUntouched: boolean): boolean {
  if (zone !== effect.zone) return false;
  if (effect.kind === "domain") return true;
  if (effect.kind === "setting") return action === "dns_zone_update";
  if (records.length > 0) return records.some(({ owner, type }) => owner === effect.name && type === effect.type);
  return looksUntouched && action !== "dns_zone_update";
}

function rolledBackProblem(what: string, events: readonly ZoneEvent[], textOf: EventText): Problem {
  const shown = events.slice(-4).map(textOf);
  const more = events.length > shown.length ? `${events.length - shown.length} earlier events, then ` : "";
  return problem(
    "plan-rolled-back",
    `${what} was changed after the plan was made and then changed back: ${more}${shown.join(", ")}`,
    { fix: advise`Nothing was written. Ask who reverted it and why. ${newPlanFix}` },
  );
}
