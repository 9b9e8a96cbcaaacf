import { advise } from "../../diagnostics/advice.ts";
import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import type { NameKey } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import type { ZoneEvent } from "../../dns/zone/zone-event.ts";
import { liveDigest } from "../changes/digests.ts";
import type { Effect } from "../changes/effects.ts";
import { effectOf, newPlanClause } from "../plan-file/plan-file.ts";
import type { PlanFile } from "../plan-file/plan-schema.ts";

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
  const planned = countByKey(file.changes.map(effectOf));
  const open = countByKey(left);
  for (const effect of left) {
    const key = effectKey(effect);
    if (mine.has(key)) continue;
    const own = events.filter((event) => isAbout(event, effect, looksUntouched.has(effect.zone)));
    // A run elsewhere that ended early: each of the writes is one of the effects that are in place.
    const done = (planned.get(key) ?? 0) - (open.get(key) ?? 0);
    if (own.length <= done && own.every(({ records }) => records.length > 0)) continue;
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

function countByKey(effects: readonly Effect[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const effect of effects) counts.set(effectKey(effect), (counts.get(effectKey(effect)) ?? 0) + 1);
  return counts;
}

/** Zones that are identical to those at planning: writes to them were reverted. */
function untouchedZones({ observed }: PlanFile, live: ReadonlyMap<NameKey, LiveZone>): Set<NameKey> {
  const same = observed.zones.filter(({ zone, digest }) => {
    const now = live.get(zone);
    return now === undefined ? digest === null : liveDigest(now) === digest;
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
    { fix: advise`Nothing was written. Ask who reverted it and why, then ${newPlanClause}` },
  );
}
