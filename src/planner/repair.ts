import { type DarkState, occurs } from "./check.ts";
import type { Draft } from "./draft.ts";
import type { Strength } from "./in-order.ts";
import type { Order } from "./order.ts";
import type { Happening } from "./overlay.ts";
import { type Probe, painOf } from "./probes.ts";

/** Up to this many steps all orders are compared; of more, one is built step by step. */
const mostExact = 8;
/** Of more steps than this no other order is sought. */
const mostGreedy = 600;

/** Cost of a need that an order breaks, by its strength; names without an answer are counted apart. */
export const costs: Readonly<Record<Strength, number>> = { faint: 0.01, weak: 0.1, soft: 1, sure: 0, firm: Number.POSITIVE_INFINITY }; // biome-ignore format: one thought
/** Cost of a step that overtakes another: all else equal, the order stays as it was. */
const overtaking = 0.0001;

/** Of two orders with the same dark moments the one is better in which they are shorter. */
const lasting = 0.001;

/** Cost of an order: the sum of its dark moments. */
export function painIn(states: readonly DarkState[], order: Order): number {
  const probes = new Set<Probe>();
  let sum = 0;
  for (const state of states) {
    if (!occurs(state, order)) continue;
    if (!probes.has(state.probe)) sum += painOf(state.probe);
    if (state.underWay.length === 0) sum += painOf(state.probe) * lasting * lasting;
    probes.add(state.probe);
  }
  return sum;
}

/**
 * Better orders of the steps that have a part in dark moments: of each group of steps that do something to the same names,
 * where the given order leaves one without an answer.
 */
export function repairs(states: readonly DarkState[], order: Order, wishes: Wishes): Draft[][] {
  return groupsOf(states)
    .filter(({ drafts, states }) => drafts.size > 1 && states.some((state) => occurs(state, order)))
    .flatMap((group) => {
      const drafts = [...group.drafts].sort((a, b) => order.at(a) - order.at(b));
      if (drafts.length > mostGreedy) return [];
      const puzzle = new Puzzle(drafts, group.states, wishes);
      return [drafts.length <= mostExact ? puzzle.best() : puzzle.greedy()];
    });
}

/** The needs of each draft that do not come from the check. */
export type Wishes = ReadonlyMap<Draft, Draft["needs"]>;

interface Group {
  readonly drafts: Set<Draft>;
  readonly states: DarkState[];
}

/** The dark states in groups that share no step. */
function groupsOf(states: readonly DarkState[]): Group[] {
  const leader = new Map<Draft, Draft>();
  const find = (draft: Draft): Draft => {
    let at = draft;
    for (let next = leader.get(at); next && next !== at; next = leader.get(at)) at = next;
    leader.set(draft, at);
    return at;
  };
  const joined = new Set<Happening>();
  const join = (happenings: readonly Happening[]) => {
    for (const happening of happenings) {
      if (joined.has(happening)) continue;
      joined.add(happening);
      const [first, ...others] = happening.drafts;
      if (first) for (const other of others) leader.set(find(other), find(first));
    }
  };
  const somesOf = ({ happened, pending, underWay }: DarkState) => [
    ...[...happened, ...pending].flatMap(firstOf),
    ...underWay,
  ];
  for (const state of states) {
    join(state.happened);
    join(state.pending);
    const [first, ...others] = somesOf(state);
    if (first) for (const other of others) leader.set(find(other), find(first));
  }
  const groups = new Map<Draft, Group>();
  for (const state of states) {
    const [first] = somesOf(state);
    if (!first) continue;
    const key = find(first);
    const group = groups.get(key) ?? { drafts: new Set(), states: [] };
    groups.set(key, group);
    group.states.push(state);
  }
  for (const draft of leader.keys()) groups.get(find(draft))?.drafts.add(draft);
  return [...groups.values()];
}

function firstOf({ drafts }: Happening): Draft[] {
  for (const draft of drafts) return [draft];
  return [];
}

function draftsOf({ happened, pending, underWay }: DarkState): Draft[] {
  return [...[...happened, ...pending].flatMap(({ drafts }) => [...drafts]), ...underWay];
}

/** Steps whose order is sought. A set of them that is done is told by the bits of a number, or as a set of indexes. */
class Puzzle {
  readonly #drafts: readonly Draft[];
  readonly #index: ReadonlyMap<Draft, number>;
  readonly #wishes: Wishes;
  readonly #touching: readonly (readonly DarkState[])[];

  constructor(drafts: readonly Draft[], states: readonly DarkState[], wishes: Wishes) {
    this.#drafts = drafts;
    this.#wishes = wishes;
    this.#index = new Map(drafts.map((draft, index) => [draft, index]));
    const touching: DarkState[][] = drafts.map(() => []);
    for (const state of states)
      for (const draft of new Set(draftsOf(state))) touching[this.#index.get(draft) ?? 0]?.push(state);
    this.#touching = touching;
  }

  /** The order that hurts least. */
  best(): Draft[] {
    const { length } = this.#drafts;
    const cost = new Float64Array(1 << length).fill(Number.POSITIVE_INFINITY);
    const last = new Int8Array(1 << length);
    cost[0] = 0;
    for (let done = 0; done < 1 << length; done++) {
      const sofar = cost[done] ?? 0;
      if (sofar === Number.POSITIVE_INFINITY) continue;
      const isDone = (index: number) => (done & (1 << index)) !== 0;
      for (let next = 0; next < length; next++) {
        if (isDone(next)) continue;
        const then = done | (1 << next);
        const sum = sofar + this.#costOf(next, isDone);
        if (sum < (cost[then] ?? 0)) {
          cost[then] = sum;
          last[then] = next;
        }
      }
    }
    const order: Draft[] = [];
    for (let done = (1 << length) - 1; done > 0; ) {
      const index = last[done] ?? 0;
      const draft = this.#drafts[index];
      if (draft) order.unshift(draft);
      done &= ~(1 << index);
    }
    return order;
  }

  /** An order in which each step is the one that hurts least then. */
  greedy(): Draft[] {
    const done = new Set<number>();
    const order: Draft[] = [];
    while (order.length < this.#drafts.length) {
      let best = -1;
      let least = Number.POSITIVE_INFINITY;
      for (let index = 0; index < this.#drafts.length && least >= 0.01; index++) {
        if (done.has(index)) continue;
        const cost = this.#costOf(index, (other) => done.has(other));
        if (best < 0 || cost < least) [best, least] = [index, cost];
      }
      done.add(best);
      const draft = this.#drafts[best];
      if (draft) order.push(draft);
    }
    return order;
  }

  /** Cost of a step once others are done: the probes that it leaves dark, the needs that it breaks. */
  #costOf(next: number, isDone: (index: number) => boolean): number {
    let cost = 0;
    const draft = this.#drafts[next];
    for (const [need, strength] of (draft && this.#wishes.get(draft)) ?? []) {
      const index = this.#index.get(need);
      if (index !== undefined && !isDone(index)) cost += costs[strength];
    }
    for (let index = 0; index < next; index++) if (!isDone(index)) cost += overtaking;
    if (cost === Number.POSITIVE_INFINITY) return cost;
    const isThen = (index: number) => index === next || isDone(index);
    const [dark, until] = [new Set<Probe>(), new Set<Probe>()];
    for (const state of this.#touching[next] ?? []) {
      if (state.underWay.length === 0) {
        if (this.#isIn(state, isThen)) {
          dark.add(state.probe);
          cost += painOf(state.probe) * lasting;
        }
        if (this.#isIn(state, isDone)) until.add(state.probe);
      } else if (state.underWay.length === 1 && this.#index.get(state.underWay[0] as Draft) === next) {
        if (this.#isIn(state, isDone)) dark.add(state.probe);
      }
    }
    for (const probe of dark) if (!until.has(probe)) cost += painOf(probe);
    return cost;
  }

  #isIn({ happened, pending }: DarkState, isDone: (index: number) => boolean): boolean {
    const has = ({ kind, drafts }: Happening) => {
      const isDraftDone = (draft: Draft) => isDone(this.#index.get(draft) ?? -1);
      for (const draft of drafts) if (isDraftDone(draft) === (kind === "some")) return kind === "some";
      return kind !== "some";
    };
    return happened.every(has) && !pending.some(has);
  }
}
