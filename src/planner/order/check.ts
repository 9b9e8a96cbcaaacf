import type { NameKey } from "../../dns/name/name.ts";
import type { Gap } from "../changes/change.ts";
import { Answers } from "./answers.ts";
import { gapOf, type PlannedStep, type ZoneDraft } from "./draft.ts";
import { explore, type Progress } from "./explore.ts";
import type { Order } from "./order.ts";
import { countSeparateWrites, type Milestone, type Milestones, type OverlayZone } from "./overlay.ts";
import { type Probe, probesOf } from "./probes.ts";
import { eachOf, type Work } from "./work.ts";

/**
 * A state in which a probe has no answer, although it has one before and after the plan: some milestones are reached,
 * some are pending, and swaps are in progress. An order in which a pending milestone precedes a reached one avoids it.
 */
export interface DarkState {
  readonly probe: Probe;
  readonly reached: readonly Milestone[];
  readonly pending: readonly Milestone[];
  readonly underWay: readonly PlannedStep[];
  /** Time for which a resolver may cache "no such record". */
  readonly seconds: number;
}

/** The criteria for an order of the steps. */
export interface OrderCheck {
  readonly darkStates: readonly DarkState[];
  /** Probes with too many states to check: the steps that they depend on are done one after the other, in order. */
  readonly entangled: readonly EntangledProbe[];
  readonly answers: Answers;
}

interface EntangledProbe {
  readonly probe: Probe;
  readonly asked: Set<Milestone>;
}

/** Finds all states of the zones in which a name and type has no answer, although it has one before and after. */
export function* check(zones: ReadonlyMap<NameKey, OverlayZone>, milestones: Milestones): Work<OrderCheck> {
  const answers = new Answers(zones, milestones);
  const darkStates: DarkState[] = [];
  const entangled: EntangledProbe[] = [];
  yield* eachOf(["checking the order", "name"], yield* probesOf(answers), (probe) => {
    const costs: number[] = [];
    const asked = new Set<Milestone>();
    const { failures, isComplete } = explore((phase) => {
      const isAnswered =
        answers.end(probe.name, probe.type, (milestone, index) => {
          asked.add(milestone);
          return phase(milestone, index);
        }) !== undefined;
      if (!isAnswered) costs.push(secondsOf(answers.denier?.draft));
      return isAnswered;
    });
    if (!isComplete) entangled.push({ probe, asked });
    for (const [index, failure] of failures.entries()) {
      const seconds = costs[index] ?? 0;
      for (const state of statesOf(failure)) darkStates.push({ probe, ...state, seconds });
    }
  });
  return { darkStates, entangled, answers };
}

/** The states that correspond to the progress of the milestones: a swap is pending, in progress or done. */
function statesOf(failure: readonly Progress[]): Pick<DarkState, "reached" | "pending" | "underWay">[] {
  let states: { reached: Milestone[]; pending: Milestone[]; underWay: PlannedStep[] }[] = [
    { reached: [], pending: [], underWay: [] },
  ];
  for (const { milestone, least, most } of failure) {
    const end = countSeparateWrites(milestone);
    states = states.flatMap((state) => [
      ...(least === 0 ? [{ ...state, pending: [...state.pending, milestone] }] : []),
      ...(most === end ? [{ ...state, reached: [...state.reached, milestone] }] : []),
      ...(Math.max(least, 1) <= Math.min(most, end - 1)
        ? [{ ...state, underWay: [...state.underWay, ...milestone.drafts] }]
        : []),
    ]);
  }
  return states;
}

function secondsOf(zone: ZoneDraft | undefined): number {
  return zone ? gapOf(zone) : 0;
}

/** Whether the state occurs if the steps are done one after the other in this order. */
export function occurs({ reached, pending, underWay }: DarkState, order: Order): boolean {
  const last = Math.max(-1, ...reached.map((one) => order.at(order.gate(one))));
  const next = Math.min(Number.POSITIVE_INFINITY, ...pending.map((one) => order.at(order.gate(one))));
  const [swap, ...others] = underWay;
  if (swap === undefined) return last < next;
  return others.length === 0 && last < order.at(swap) && order.at(swap) < next;
}

/** The position in the order at which the state begins. */
function startOf({ reached, underWay }: DarkState, order: Order): number {
  const [swap] = underWay;
  return swap ? order.at(swap) : Math.max(-1, ...reached.map((one) => order.at(order.gate(one))));
}

/**
 * Adds dependencies so that dark states that do not occur in the order cannot occur at all, and those that do occur
 * always do. Returns the gaps by the step at which they begin.
 */
export function constrainOrder(
  { darkStates, entangled, answers }: OrderCheck,
  order: Order,
  needs: Needs,
): Map<PlannedStep, Gap[]> {
  const gaps = new Gaps();
  for (const one of entangled) {
    const gap = findGapInOrder(one, answers, order);
    needInOrder([...new Set([...one.asked].flatMap((milestone) => [...milestone.drafts]))], order, needs);
    if (gap) gaps.declare(one.probe, gap.from, gap.seconds);
  }
  const isEntangled = new Set(entangled.map(({ probe }) => probe));
  const states = darkStates.filter(({ probe }) => !isEntangled.has(probe));
  const first = new Map<Probe, DarkState>();
  for (const state of states) {
    if (!occurs(state, order)) continue;
    const known = first.get(state.probe);
    if (!known || startOf(state, order) < startOf(known, order)) first.set(state.probe, state);
  }
  const gated = new Set<Milestone>();
  for (const [probe, state] of first) {
    const from = keepState(state, order, needs, gated);
    if (from) gaps.declare(probe, from, state.seconds);
  }
  for (const state of states) if (!first.has(state.probe)) preventState(state, order, needs);
  return gaps.list();
}

/** Gaps by the step at which they begin, and by name. */
class Gaps {
  readonly #gaps = new Map<PlannedStep, Map<NameKey, { types: Set<string>; seconds: number }>>();

  declare({ shown, type }: Probe, from: PlannedStep, seconds: number): void {
    const owners = this.#gaps.get(from) ?? new Map<NameKey, { types: Set<string>; seconds: number }>();
    this.#gaps.set(from, owners);
    const gap = owners.get(shown) ?? { types: new Set(), seconds: 0 };
    owners.set(shown, gap);
    gap.types.add(type);
    gap.seconds = Math.max(gap.seconds, seconds);
  }

  list(): Map<PlannedStep, Gap[]> {
    return new Map([...this.#gaps].map(([draft, owners]) => [draft, listGaps(owners)]));
  }
}

/** Makes each step wait for the one before it in the order; returns the steps in that order. */
function needInOrder(drafts: readonly PlannedStep[], order: Order, needs: Needs): PlannedStep[] {
  const sorted = [...drafts].sort((a, b) => order.at(a) - order.at(b));
  for (const [index, draft] of sorted.entries()) needs.add(draft, sorted[index - 1] ?? draft);
  return sorted;
}

/** The step that decides a milestone in the order; the first time, the other steps are made to agree with it. */
function gateOf(milestone: Milestone, order: Order, needs: Needs, gated: Set<Milestone>): PlannedStep {
  const one = order.gate(milestone);
  if (gated.has(milestone)) return one;
  gated.add(milestone);
  for (const other of milestone.drafts) {
    if (milestone.kind === "some") needs.add(other, one);
    else needs.add(one, other);
  }
  return one;
}

/** Adds dependencies so that a state always occurs; returns the step at which it begins, if any. */
function keepState(state: DarkState, order: Order, needs: Needs, gated: Set<Milestone>): PlannedStep | undefined {
  const reached = state.reached.map((milestone) => gateOf(milestone, order, needs, gated));
  const done = needInOrder(reached, order, needs);
  const last = state.underWay[0] ?? done.at(-1);
  if (last === undefined) return undefined;
  if (state.underWay.length > 0) needs.add(last, done.at(-1) ?? last);
  const pending = state.pending.map((milestone) => gateOf(milestone, order, needs, gated));
  for (const one of pending) needs.add(one, last);
  return last;
}

/** Adds the fewest dependencies that prevent the state in any order. */
function preventState(state: DarkState, order: Order, needs: Needs): void {
  let fewest: [PlannedStep, PlannedStep][] | undefined;
  for (const waits of waysToAvoid(state, order)) {
    const missing = waits.filter(([one, needed]) => !needs.dependsOn(one, needed));
    if (missing.length === 0) return;
    if (!fewest || missing.length < fewest.length) fewest = missing;
  }
  if (!fewest) throw new Error("a gap without a cause");
  for (const [one, needed] of fewest) needs.add(one, needed);
}

/** Simulates a probe in the order, write by write, and returns the first step that leaves it without an answer. */
function findGapInOrder(
  { probe, asked }: EntangledProbe,
  answers: Answers,
  order: Order,
): { from: PlannedStep; seconds: number } | undefined {
  for (const from of order.drafts) {
    const end = Math.max(1, from.writes.length);
    for (let done = answers.milestones.of(from).kind === "swap" ? 1 : end; done <= end; done++) {
      const found = answers.end(probe.name, probe.type, (milestone, index) => {
        asked.add(milestone);
        const gate = order.gate(milestone);
        if (gate === from) return milestone.kind === "swap" ? done > index : done >= end;
        return order.at(gate) < order.at(from);
      });
      if (found === undefined) return { from, seconds: secondsOf(answers.denier?.draft) };
    }
  }
  return undefined;
}

/** Pairs of steps, in the order, that prevent a state if the first waits for the second. */
function* waysToAvoid(
  { reached, pending, underWay }: DarkState,
  order: Order,
): Generator<[PlannedStep, PlannedStep][]> {
  const swaps: Milestone[] = underWay.map((draft) => ({ kind: "swap", drafts: new Set([draft]) }));
  for (const later of [...reached, ...swaps]) {
    for (const earlier of [...pending, ...swaps]) {
      // One of several is enough for "none done" or "not all done"; otherwise all are needed.
      const early = earlier.kind === "some" ? [order.gate(earlier)] : [...earlier.drafts];
      const late = later.kind === "some" ? [...later.drafts] : [order.gate(later)];
      if (early.length === 1 && late.length === 1 && early[0] === late[0]) continue;
      const pairs = late.flatMap((one) => early.map((needed): [PlannedStep, PlannedStep] => [one, needed]));
      const waits = pairs.filter(([one, needed]) => one !== needed);
      if (waits.every(([one, needed]) => order.at(needed) < order.at(one))) yield waits;
    }
  }
}

function listGaps(owners: ReadonlyMap<NameKey, { types: ReadonlySet<string>; seconds: number }>): Gap[] {
  return [...owners]
    .map(([owner, { types, seconds }]) => ({ owner, types: [...types].sort(), seconds }))
    .sort((a, b) => (a.owner < b.owner ? -1 : 1));
}

/** The dependencies of each step, with a quick test for indirect ones. */
export class Needs {
  readonly #order: Order;

  constructor(order: Order) {
    this.#order = order;
  }

  add(one: PlannedStep, needed: PlannedStep): void {
    if (one !== needed && !this.dependsOn(one, needed)) one.needs.set(needed, "required");
  }

  /** Whether one step begins only after the other is done. Gives up, with false, if that takes too many steps. */
  dependsOn(one: PlannedStep, other: PlannedStep): boolean {
    const limit = this.#order.at(other);
    const seen = new Set<PlannedStep>([one]);
    for (const draft of seen) {
      if (draft.needs.has(other)) return true;
      if (seen.size > 500) return false;
      for (const need of draft.needs.keys()) if (this.#order.at(need) > limit) seen.add(need);
    }
    return false;
  }
}
