import {
  isServed,
  type Plan,
  type RecordChange,
  type SettingChange,
  type Step,
} from "../../../src/planner/changes/change.ts";
import type { Random } from "../../executor/random.ts";

type ZonePlan = Plan["zones"][number];
type Needs = Pick<Step, "needs" | "needsZones">;

/** A request that changes the store: a record, the settings of a zone, or the deletion of a domain. */
export type Write =
  | { readonly kind: "record"; readonly zone: string; readonly step: Step; readonly change: RecordChange }
  | { readonly kind: "settings"; readonly zone: string; readonly settings: readonly SettingChange[] }
  | { readonly kind: "delete"; readonly zone: string };

interface Progress {
  readonly zone: ZonePlan;
  readonly step: Step;
  /** The number of its writes that are done. */
  written: number;
}

/** Chooses among the moves that may come next. */
export type Choose = (open: readonly { readonly id: number }[]) => number;

/**
 * The order of the ids: a zone is activated or disabled as soon as it may be, and no step begins before the last has
 * ended.
 */
export const byId: Choose = (open) => {
  const ids = open.map(({ id }) => id);
  return ids.indexOf(Math.min(...ids));
};

export function atRandom(random: Random): Choose {
  return (open) => random.below(open.length);
}

/**
 * The writes of a plan in an order that it allows: steps wait for what they need, a zone is activated when its steps
 * are done and disabled before they begin, domains are deleted last. The writes of a swap come in their order; between
 * them may come writes of other steps, as they do when steps run side by side.
 */
export function writesInOrder({ zones, deletions }: Plan, choose: Choose): Write[] {
  const steps = zones.flatMap((zone) => zone.steps.map((step): Progress => ({ zone, step, written: 0 })));
  const done = new Set<number>();
  const turned = new Set<string>();
  const planned = new Set(zones.map(({ zone }) => zone.name.toLowerCase()));
  const isReady = ({ needs, needsZones = [] }: Needs) =>
    needs.every((id) => done.has(id)) &&
    needsZones.map((name) => name.toLowerCase()).every((name) => turned.has(name) || !planned.has(name));
  const mayTurn = (zone: ZonePlan) =>
    !turned.has(zone.zone.name.toLowerCase()) &&
    isReady(zone.activation ?? { needs: [] }) &&
    (turnsFirst(zone) || zone.steps.every(({ id }) => done.has(id)));
  const mayWrite = ({ zone, step, written }: Progress) =>
    written > 0 || (isReady(step) && (!turnsFirst(zone) || turned.has(zone.zone.name.toLowerCase())));
  const writes: Write[] = [];
  for (;;) {
    const turns = zones.filter(mayTurn).map((zone) => ({ id: -1, zone }));
    const open = steps.filter((one) => one.written < one.step.writes.length && mayWrite(one));
    const moves = [...turns, ...open.map((one) => ({ id: one.step.id, one }))];
    const move = moves.length === 0 ? undefined : moves[choose(moves)];
    if (move === undefined) break;
    if ("zone" in move) {
      turned.add(move.zone.zone.name.toLowerCase());
      const settings = settingsOf(move.zone);
      if (settings.length > 0) writes.push({ kind: "settings", zone: move.zone.zone.name, settings });
    } else {
      const { one } = move;
      const change = one.step.writes[one.written++] as RecordChange;
      writes.push({ kind: "record", zone: one.zone.zone.name, step: one.step, change });
      if (one.written === one.step.writes.length) done.add(one.step.id);
    }
  }
  const stuck = steps.filter(({ step }) => !done.has(step.id)).map(({ step }) => step.id);
  if (stuck.length > 0) throw new Error(`steps ${stuck.join(", ")} wait for each other`);
  if (turned.size < zones.length) throw new Error("a zone is never activated or disabled");
  return [...writes, ...deletions.map(({ name }): Write => ({ kind: "delete", zone: name }))];
}

function turnsFirst(zone: ZonePlan): boolean {
  const { before, after } = isServed(zone);
  return before && !after;
}

/** A new zone is created disabled, and activated unless it is to stay so. */
export function settingsOf({ domainId, settings, zone }: ZonePlan): readonly SettingChange[] {
  if (domainId !== undefined) return settings;
  return zone.settings.status === "disabled" ? [] : [{ name: "status", before: "disabled", after: "active" }];
}
