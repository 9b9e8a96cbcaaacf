import type { Strength } from "../changes/in-order.ts";
import { type DarkState, occurs } from "./check.ts";
import type { PlannedStep } from "./draft.ts";
import type { Order } from "./order.ts";
import type { Milestone } from "./overlay.ts";
import { gapCost, type Probe } from "./probes.ts";

/** The maximum number of steps for which all orders are compared; above it, one is built greedily. */
const mostExact = 8;
/** The maximum number of steps for which another order is searched. */
const mostGreedy = 600;

/** The cost of a violated dependency by strength; unresolvable names are counted separately. */
export const violationCosts: Readonly<Record<Strength, number>> = {
  "weak-hint": 0.01,
  hint: 0.1,
  preferred: 1,
  strong: 0,
  required: Number.POSITIVE_INFINITY,
};
/** The cost of a step that overtakes another, so that the order is kept if all else is equal. */
const reorderCost = 0.0001;

/** The weight of the duration: of two orders with the same dark states, the shorter ones win. */
const durationWeight = 0.001;

/** The cost of an order: the sum of its dark states. */
export function orderCost(states: readonly DarkState[], order: Order): number {
  const probes = new Set<Probe>();
  let sum = 0;
  for (const state of states) {
    if (!occurs(state, order)) continue;
    if (!probes.has(state.probe)) sum += gapCost(state.probe);
    if (state.underWay.length === 0) sum += gapCost(state.probe) * durationWeight * durationWeight;
    probes.add(state.probe);
  }
  return sum;
}

/**
 * Better orders for the steps that take part in dark states: one for each group of steps about the same names, if the
 * given order leaves one without an answer.
 */
export function findBetterOrders(
  states: readonly DarkState[],
  order: Order,
  preferences: Preferences,
): PlannedStep[][] {
  return groupsOf(states)
    .filter(({ drafts, states }) => drafts.size > 1 && states.some((state) => occurs(state, order)))
    .flatMap((group) => {
      const drafts = [...group.drafts].sort((a, b) => order.at(a) - order.at(b));
      if (drafts.length > mostGreedy) return [];
      const search = new OrderSearch(drafts, group.states, preferences);
      return [drafts.length <= mostExact ? search.cheapest() : search.cheapestNext()];
    });
}

/** The dependencies of each draft that were not added by the check. */
export type Preferences = ReadonlyMap<PlannedStep, PlannedStep["needs"]>;

interface Group {
  readonly drafts: Set<PlannedStep>;
  readonly states: DarkState[];
}

/** The dark states in groups that share no step. */
function groupsOf(states: readonly DarkState[]): Group[] {
  const leader = new Map<PlannedStep, PlannedStep>();
  const find = (draft: PlannedStep): PlannedStep => {
    let at = draft;
    for (let next = leader.get(at); next && next !== at; next = leader.get(at)) at = next;
    leader.set(draft, at);
    return at;
  };
  const joined = new Set<Milestone>();
  const join = (milestones: readonly Milestone[]) => {
    for (const milestone of milestones) {
      if (joined.has(milestone)) continue;
      joined.add(milestone);
      const [first, ...others] = milestone.drafts;
      if (first) for (const other of others) leader.set(find(other), find(first));
    }
  };
  const groupedSteps = ({ reached, pending, underWay }: DarkState) => [
    ...[...reached, ...pending].flatMap(firstOf),
    ...underWay,
  ];
  for (const state of states) {
    join(state.reached);
    join(state.pending);
    const [first, ...others] = groupedSteps(state);
    if (first) for (const other of others) leader.set(find(other), find(first));
  }
  const groups = new Map<PlannedStep, Group>();
  for (const state of states) {
    const [first] = groupedSteps(state);
    if (!first) continue;
    const key = find(first);
    const group = groups.get(key) ?? { drafts: new Set(), states: [] };
    groups.set(key, group);
    group.states.push(state);
  }
  for (const draft of leader.keys()) groups.get(find(draft))?.drafts.add(draft);
  return [...groups.values()];
}

function firstOf({ drafts }: Milestone): PlannedStep[] {
  for (const draft of drafts) return [draft];
  return [];
}

/** A milestone with the indexes of its steps. */
interface Part {
  readonly isSome: boolean;
  readonly indexes: readonly number[];
}

/** A dark state with the indexes of its steps. */
interface IndexedState {
  readonly probe: Probe;
  readonly reached: readonly Part[];
  readonly pending: readonly Part[];
  readonly underWay: readonly number[];
}

/** 1 for each completed step, by index. */
type CompletedSteps = Uint8Array;

/** Steps to be ordered. */
class OrderSearch {
  readonly #drafts: readonly PlannedStep[];
  readonly #needs: readonly (readonly { readonly index: number; readonly cost: number }[])[];
  readonly #statesOfStep: readonly (readonly IndexedState[])[];

  constructor(drafts: readonly PlannedStep[], states: readonly DarkState[], preferences: Preferences) {
    this.#drafts = drafts;
    const indexes = new Map(drafts.map((draft, index) => [draft, index]));
    const indexOf = (draft: PlannedStep) => indexes.get(draft) ?? [];
    this.#needs = drafts.map((draft) =>
      [...(preferences.get(draft) ?? [])].flatMap(([need, strength]) => {
        const index = indexes.get(need);
        return index === undefined ? [] : { index, cost: violationCosts[strength] };
      }),
    );
    const parts = new Map<Milestone, Part>();
    const partOf = (milestone: Milestone): Part => {
      const known = parts.get(milestone);
      if (known) return known;
      const part = { isSome: milestone.kind === "some", indexes: [...milestone.drafts].flatMap(indexOf) };
      parts.set(milestone, part);
      return part;
    };
    const touching: IndexedState[][] = drafts.map(() => []);
    for (const { probe, reached, pending, underWay } of states) {
      const state: IndexedState = {
        probe,
        reached: reached.map(partOf),
        pending: pending.map(partOf),
        underWay: underWay.flatMap(indexOf),
      };
      const all = [...state.reached, ...state.pending].flatMap(({ indexes }) => indexes);
      for (const index of new Set([...all, ...state.underWay])) touching[index]?.push(state);
    }
    this.#statesOfStep = touching;
  }

  /** The order with the lowest cost. */
  cheapest(): PlannedStep[] {
    const { length } = this.#drafts;
    const cost = new Float64Array(1 << length).fill(Number.POSITIVE_INFINITY);
    const last = new Int8Array(1 << length);
    const isDone: CompletedSteps = new Uint8Array(length);
    cost[0] = 0;
    for (let done = 0; done < 1 << length; done++) {
      const sofar = cost[done] ?? 0;
      if (sofar === Number.POSITIVE_INFINITY) continue;
      for (let index = 0; index < length; index++) isDone[index] = (done >> index) & 1;
      for (let next = 0; next < length; next++) {
        if (isDone[next]) continue;
        const then = done | (1 << next);
        const sum = sofar + this.#costOf(next, isDone);
        if (sum < (cost[then] ?? 0)) {
          cost[then] = sum;
          last[then] = next;
        }
      }
    }
    const order: PlannedStep[] = [];
    for (let done = (1 << length) - 1; done > 0; ) {
      const index = last[done] ?? 0;
      const draft = this.#drafts[index];
      if (draft) order.unshift(draft);
      done &= ~(1 << index);
    }
    return order;
  }

  /** An order in which each step is the cheapest next one. */
  cheapestNext(): PlannedStep[] {
    const isDone: CompletedSteps = new Uint8Array(this.#drafts.length);
    const order: PlannedStep[] = [];
    while (order.length < this.#drafts.length) {
      let cheapest = -1;
      let least = Number.POSITIVE_INFINITY;
      for (let index = 0; index < this.#drafts.length && least >= 0.01; index++) {
        if (isDone[index]) continue;
        const cost = this.#costOf(index, isDone);
        if (cheapest < 0 || cost < least) [cheapest, least] = [index, cost];
      }
      isDone[cheapest] = 1;
      const draft = this.#drafts[cheapest];
      if (draft) order.push(draft);
    }
    return order;
  }

  /** The cost of the next step: the probes that it leaves dark, and the dependencies that it violates. */
  #costOf(next: number, isDone: CompletedSteps): number {
    let cost = 0;
    for (const need of this.#needs[next] ?? []) if (!isDone[need.index]) cost += need.cost;
    for (let index = 0; index < next; index++) if (!isDone[index]) cost += reorderCost;
    if (cost === Number.POSITIVE_INFINITY) return cost;
    return cost + this.#darkCost(next, isDone);
  }

  /** The cost of the probes that a step leaves dark: those that were not dark before, and how long each stays so. */
  #darkCost(next: number, isDone: CompletedSteps): number {
    let cost = 0;
    const [dark, until] = [new Set<Probe>(), new Set<Probe>()];
    for (const state of this.#statesOfStep[next] ?? []) {
      const [swap, ...others] = state.underWay;
      if (swap !== undefined) {
        if (swap === next && others.length === 0 && isIn(state, isDone)) dark.add(state.probe);
        continue;
      }
      if (isIn(state, isDone)) until.add(state.probe);
      isDone[next] = 1;
      if (isIn(state, isDone)) {
        dark.add(state.probe);
        cost += gapCost(state.probe) * durationWeight;
      }
      isDone[next] = 0;
    }
    for (const probe of dark) if (!until.has(probe)) cost += gapCost(probe);
    return cost;
  }
}

function isIn({ reached, pending }: IndexedState, isDone: CompletedSteps): boolean {
  for (const part of reached) if (!has(part, isDone)) return false;
  for (const part of pending) if (has(part, isDone)) return false;
  return true;
}

function has({ isSome, indexes }: Part, isDone: CompletedSteps): boolean {
  for (const index of indexes) if ((isDone[index] === 1) === isSome) return isSome;
  return !isSome;
}
