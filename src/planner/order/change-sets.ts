import { addToList } from "../../group-by.ts";
import { findCycles, sortByNeeds, type WithNeeds } from "../changes/in-order.ts";
import { type ChangeLimit, ChangeSetMeter } from "./change-set-size.ts";
import { addNeed, type PlannedStep, type ZoneDraft } from "./draft.ts";

/** Steps of one zone that need each other, so that no change set separates them. */
interface Unit extends WithNeeds<Unit> {
  readonly steps: readonly PlannedStep[];
  /** The zone; for an activation or deactivation, which is no part of a change set, the step itself. */
  readonly actor: ZoneDraft | PlannedStep;
}

/** The units of a change set. */
interface Part {
  readonly units: readonly Unit[];
  readonly isTooLarge: boolean;
}

/**
 * Contracts the steps of each zone into the fewest change sets whose dependencies form no cycle over all zones. Steps
 * of a set need no order. A cycle through several zones is broken as one of single steps. A set that is larger than the
 * limit is split where no part needs a later one.
 */
export function contractSteps(
  drafts: readonly PlannedStep[],
  limit: ChangeLimit = {},
): { readonly sets: readonly PlannedStep[]; readonly setOf: ReadonlyMap<PlannedStep, PlannedStep> } {
  const setOfUnit = new Map<Unit, PlannedStep>();
  const meters = new Map<Unit["actor"], ChangeSetMeter>();
  const split = (units: readonly Unit[]): readonly Part[] => {
    const [{ actor } = { actor: undefined }] = units;
    if (limit.most === undefined || actor === undefined) return [{ units, isTooLarge: false }];
    const meter = meters.get(actor) ?? new ChangeSetMeter(limit);
    meters.set(actor, meter);
    return splitBySize(units, meter);
  };
  for (const linked of linkedUnits(sortByNeeds(unitsOf(drafts))))
    for (const part of fewestSets(linked).flatMap(split)) {
      const set = setFrom(part);
      for (const unit of part.units) setOfUnit.set(unit, set);
    }
  const setOf = new Map<PlannedStep, PlannedStep>();
  for (const [{ steps, needs }, set] of setOfUnit) {
    for (const step of steps) if (step !== set) setOf.set(step, set).set(set, set);
    for (const [need, strength] of needs) addNeed(set, setOfUnit.get(need), strength);
  }
  return { sets: [...new Set(setOfUnit.values())], setOf };
}

function unitsOf(drafts: readonly PlannedStep[]): Unit[] {
  const steps = new Map<ZoneDraft, PlannedStep[]>();
  for (const draft of drafts) if (draft.writes.length > 0) addToList(steps, draft.zone, draft);
  const newUnit = (actor: Unit["actor"], steps: readonly PlannedStep[]): Unit => ({ actor, steps, needs: new Map() });
  const units = [
    ...[...steps].flatMap(([zone, own]) => findCycles(own).map((circle) => newUnit(zone, circle))),
    ...drafts.filter(({ writes }) => writes.length === 0).map((draft) => newUnit(draft, [draft])),
  ];
  const unitOf = new Map(units.flatMap((unit) => unit.steps.map((step) => [step, unit] as const)));
  for (const unit of units)
    for (const { needs } of unit.steps) for (const [need, strength] of needs) addNeed(unit, unitOf.get(need), strength);
  return units;
}

/** An activation stays the step that it is. */
function setFrom({ units, isTooLarge }: Part): PlannedStep {
  const parts = units.flatMap(({ steps }) => steps);
  const [first] = parts;
  if (first === undefined) throw new Error("a change set without steps");
  if (first.writes.length > 0)
    return {
      zone: first.zone,
      kind: "write",
      writes: parts.flatMap(({ writes }) => writes),
      needs: new Map(),
      parts,
      ...(isTooLarge && { isTooLarge }),
    };
  first.needs.clear();
  return first;
}

/** The units in groups that do not depend on each other, in their order. */
function linkedUnits(units: readonly Unit[]): Iterable<Unit[]> {
  const leaders = new Map<Unit["actor"], Unit["actor"]>();
  const leaderOf = (actor: Unit["actor"]): Unit["actor"] => {
    const next = leaders.get(actor) ?? actor;
    if (next === actor) return actor;
    const leader = leaderOf(next);
    leaders.set(actor, leader);
    return leader;
  };
  for (const { actor, needs } of units)
    for (const need of needs.keys()) leaders.set(leaderOf(actor), leaderOf(need.actor));
  const groups = new Map<Unit["actor"], Unit[]>();
  for (const unit of units) addToList(groups, leaderOf(unit.actor), unit);
  return groups.values();
}

/** The units that are done after some turns, and their sets so far. */
interface Turns {
  readonly done: Uint8Array;
  /** The number of units that are not done, by actor. */
  readonly left: Uint32Array;
  readonly sets: readonly (readonly number[])[];
}

/** Bounds the work of the search: units that are looked at, in each round. */
const mostLooks = 500_000;

/**
 * The fewest sets of units, of one actor each, in an order in which each set needs only earlier ones and itself. At its
 * turn an actor takes all that it can, which is never worse than less, and an actor that can take all that it has left
 * does so at once. What remains to choose is which actor comes next where each can only take a part. All choices are
 * followed; of too many, those with the most units done.
 */
function fewestSets(units: readonly Unit[]): Unit[][] {
  const search = new TurnSearch(units);
  let open = [search.begin()];
  for (;;) {
    const end = open.find(({ left }) => left.every((count) => count === 0));
    if (end) return end.sets.map((set) => set.map((index) => units[index] as Unit));
    const next = new Map<string, Turns>();
    for (const turns of open)
      for (const more of search.partialTurns(turns)) next.set(Buffer.from(more.done).toString("latin1"), more);
    const countDone = ({ left }: Turns) => -left.reduce((sum, count) => sum + count, 0);
    open = [...next.values()].sort((a, b) => countDone(b) - countDone(a));
    open.length = Math.min(open.length, Math.max(1, Math.floor(mostLooks / units.length)));
  }
}

class TurnSearch {
  readonly #actors: readonly number[];
  readonly #needs: readonly (readonly number[])[];
  readonly #unitsOf: readonly number[][];

  constructor(units: readonly Unit[]) {
    const indexOf = new Map(units.map((unit, index) => [unit, index]));
    const actors = [...new Set(units.map(({ actor }) => actor))];
    const actorIndex = new Map(actors.map((actor, index) => [actor, index]));
    this.#actors = units.map(({ actor }) => actorIndex.get(actor) ?? 0);
    this.#needs = units.map(({ needs }) => [...needs.keys()].flatMap((need) => indexOf.get(need) ?? []));
    this.#unitsOf = actors.map(() => []);
    for (const [index, actor] of this.#actors.entries()) this.#unitsOf[actor]?.push(index);
  }

  begin(): Turns {
    const left = Uint32Array.from(this.#unitsOf, ({ length }) => length);
    return this.#complete({ done: new Uint8Array(this.#actors.length), left, sets: [] });
  }

  /** The turns that can follow: one for each actor that can take some of its units now. */
  *partialTurns(turns: Turns): Generator<Turns> {
    for (const [actor] of this.#unitsOf.entries()) {
      const taken = this.#takeable(turns, actor);
      if (taken.length > 0) yield this.#complete(this.#take(turns, actor, taken));
    }
  }

  /** Lets actors take all that they have left, as long as one can. */
  #complete(from: Turns): Turns {
    let turns = from;
    for (let isGoing = true; isGoing; ) {
      isGoing = false;
      for (const [actor, left] of turns.left.entries()) {
        if (left === 0) continue;
        const taken = this.#takeable(turns, actor);
        if (taken.length < left) continue;
        turns = this.#take(turns, actor, taken);
        isGoing = true;
      }
    }
    return turns;
  }

  /** The units are in the order of their needs, so one look at each is enough. */
  #takeable({ done }: Turns, actor: number): number[] {
    const taken = new Set<number>();
    for (const index of this.#unitsOf[actor] ?? [])
      if (done[index] === 0 && this.#needs[index]?.every((need) => done[need] === 1 || taken.has(need)))
        taken.add(index);
    return [...taken];
  }

  #take({ done, left, sets }: Turns, actor: number, taken: readonly number[]): Turns {
    const after = { done: done.slice(), left: left.slice(), sets: [...sets, taken] };
    for (const index of taken) after.done[index] = 1;
    after.left[actor] = (after.left[actor] ?? 0) - taken.length;
    return after;
  }
}

/** The parts of a set, whose units are in the order of their needs. A unit that is too large is a part of its own. */
function splitBySize(units: readonly Unit[], meter: ChangeSetMeter): Part[] {
  const parts: { units: Unit[]; isTooLarge: boolean }[] = [];
  for (const unit of units) {
    const open = parts.at(-1);
    if (open && meter.add(unit.steps)) open.units.push(unit);
    else {
      meter.begin();
      parts.push({ units: [unit], isTooLarge: !meter.add(unit.steps, { isForced: true }) });
    }
  }
  return parts;
}
