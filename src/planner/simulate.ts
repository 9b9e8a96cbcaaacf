import type { LiveZone } from "../zone/desired-live.ts";
import { type Name, parent } from "../zone/name.ts";
import type { Sets } from "./answerer.ts";
import { type RecordChange, type Step, subject, type ZonePlan } from "./change.ts";
import { type Count, has, type PlayedName, PlayedNames, PlayedZone, play, type Sides } from "./played-names.ts";
import { PlayedPointers } from "./played-pointers.ts";
import { PlayedPolicies } from "./played-policies.ts";
import { PlayedTurns } from "./played-turns.ts";
import { PlayedWaits } from "./played-waits.ts";

/** A zone of a plan, and as it was when the plan was made. */
export interface Play {
  readonly plan: ZonePlan;
  readonly live: LiveZone | undefined;
  /** The records of both by owner, where they are known already. */
  readonly sides?: Sides;
}

/**
 * Plays the steps of a plan, in the order of their ids or another one, and looks after each write for what must never be.
 * Gives what it finds, a text for each. It knows nothing of how the order came about.
 *
 * - A step begins before what it needs is done.
 * - A name, a set, or the addresses of a name that are there before and after are not there, but within a swap with a gap.
 * - A CNAME stands beside anything, a null MX beside an MX. A policy like SPF is there twice, or not at all.
 * - A CNAME, MX, NS or SRV leads to a name of these zones that does not exist or, but for CNAME, has no address; a server
 *   inside its own delegation has no address; aliases lead in a circle.
 * - A name is delegated to a new zone before that is served.
 * - At the end a set has more or fewer records than is desired.
 *
 * What is so before or after is no fault. Nor is it where names wait for each other in a circle, because each is to lead
 * to the next: no order does right by all of them. A zone is looked at only as long as it is served. `all` names every
 * zone of the plan, also those in which nothing changes.
 */
export function simulate(plays: readonly Play[], all: Iterable<Name>, order?: readonly Step[]): string[] {
  const simulation = new Simulation(plays, all);
  const steps = order ?? plays.flatMap(({ plan }) => plan.steps).sort((a, b) => a.id - b.id);
  for (const step of steps) simulation.step(step);
  return [...simulation.faults, ...simulation.unfinished()];
}

const addresses = ["A", "AAAA"];
const moments = ["before", "now", "after"] as const;

class Simulation {
  readonly faults: string[] = [];
  readonly #zones = new Map<Name, PlayedZone | undefined>();
  readonly #zoneOf = new Map<Step, PlayedZone>();
  readonly #turns = new PlayedTurns();
  readonly #left = new Map<PlayedZone, number>();
  readonly #names = new PlayedNames(this.#zones);
  readonly #waits = new PlayedWaits();
  readonly #pointers = new PlayedPointers(this.#names, this.#waits);
  readonly #policies = new PlayedPolicies();
  /** Names that change, by those that may end their answer: a wildcard, a delegation, a name below. */
  readonly #covered = new Map<PlayedName, PlayedName[]>();
  readonly #changed = new Set<PlayedName>();
  /** Names that change in other zones, by the zone around them that is not to be served any more. */
  readonly #givenBack = new Map<PlayedZone, PlayedName[]>();
  readonly #nameOf = new Map<RecordChange, PlayedName>();
  readonly #done = new Set<number>();

  constructor(plays: readonly Play[], all: Iterable<Name>) {
    for (const name of all) this.#zones.set(name.toLowerCase(), undefined);
    for (const { plan, live, sides } of plays) {
      const zone = new PlayedZone(plan, live, sides);
      this.#zones.set(zone.name, zone);
      this.#left.set(zone, plan.steps.length);
      for (const step of plan.steps) this.#zoneOf.set(step, zone);
      this.#turns.expect(zone, plan.turn);
    }
    for (const { plan } of plays) this.#expectChanges(plan);
    for (const { plan } of plays) this.#expect(plan);
    for (const fault of this.#turn(this.#turns.all())) this.faults.push(fault);
  }

  step(step: Step): void {
    const zone = this.#zoneOf.get(step);
    if (!zone) throw new Error(`step ${step.id} is of no zone`);
    const isEarly = zone.served.now && !zone.served.after;
    const found = new Set<string>();
    const say = (faults: Iterable<string>) => {
      for (const fault of faults) found.add(`step ${step.id}: ${fault}`);
    };
    if (isEarly) say([`${zone.name} is still served`]);
    for (const id of step.needs) if (!this.#done.has(id)) say([`step ${id} is not done`]);
    for (const name of step.needsZones ?? []) if (this.#turns.isOpen(name)) say([`${name} is as it was`]);
    const names = new Set<PlayedName>();
    for (const change of step.writes) {
      const name = this.#name(change);
      if (this.#write(change)) names.add(name);
      say(standsAlone(name));
      if (step.gapSeconds === undefined) say(this.#setFaults(name, subject(change).type));
    }
    for (const change of step.writes) {
      say(this.#setFaults(this.#name(change), subject(change).type));
      if (zone.served.now && subject(change).type === "TXT") say(this.#policies.faults(this.#name(change)));
      say(this.#pointers.played(change));
    }
    for (const name of names) {
      for (const at of [name, ...(this.#covered.get(name) ?? [])]) say(this.#nameFaults(at));
      say(this.#pointers.changedAt(name));
    }
    this.#done.add(step.id);
    this.#left.set(zone, (this.#left.get(zone) ?? 0) - 1);
    say(this.#turn([zone, ...this.#turns.after(step.id)]));
    this.faults.push(...found);
  }

  *#turn(zones: Iterable<PlayedZone>): Generator<string> {
    const left = (zone: PlayedZone) => this.#left.get(zone) ?? 0;
    for (const zone of this.#turns.turn(zones, (step) => this.#done.has(step), left)) {
      yield* this.#pointers.turned(zone);
      for (const name of this.#givenBack.get(zone) ?? []) yield* this.#nameFaults(name);
    }
  }

  *unfinished(): Generator<string> {
    for (const zone of this.#left.keys()) {
      const known = zone.names.known();
      for (const { owner, types } of known.values())
        for (const [type, { now, after }] of types)
          if (now !== after) yield `at the end ${owner} has ${now} ${type} records instead of ${after}`;
      // What nobody asked for is as it was.
      for (const [owner, sets] of zone.before)
        if (!known.has(owner) && !areAlike(sets, zone.after.get(owner)))
          yield `at the end the records of ${owner} are as they were`;
      for (const owner of zone.after.keys())
        if (!known.has(owner) && !zone.before.has(owner)) yield `at the end ${owner} is not there`;
    }
  }

  /** Learns which names change, before what they wait for. */
  #expectChanges({ steps }: ZonePlan): void {
    for (const step of steps) {
      const zone = this.#zoneOf.get(step);
      for (const change of step.writes) {
        const name = zone?.names.get(subject(change).owner.toLowerCase());
        if (!name) throw new Error(`${subject(change).owner} is neither stored nor desired`);
        const isAlias = has(name, ["CNAME"], "before") && has(name, ["CNAME"], "after");
        const isOne = step.kind === "swap" || isAlias || name.nulls.before > 0 || name.nulls.after > 0;
        if (!this.#changed.has(name)) this.#waits.change(name, isOne);
        const around = this.#names.zone(name.owner, "before");
        if (around !== name.zone && around?.served.after === false)
          this.#waits.wait(around, this.#waits.node(name, "comes"));
        if (!this.#changed.has(name)) this.#expectBack(name);
        this.#changed.add(name);
        this.#nameOf.set(change, name);
        if (subject(change).type === "TXT") this.#policies.expect(name);
      }
    }
  }

  #expectBack(name: PlayedName): void {
    for (let at = name.owner; at !== "."; at = parent(at)) {
      const zone = this.#zones.get(at);
      if (zone === undefined || zone === name.zone || zone.served.after) continue;
      const names = this.#givenBack.get(zone);
      if (names) names.push(name);
      else this.#givenBack.set(zone, [name]);
    }
  }

  /** Learns of pointers, of what answers for names that come or go, and of policies. */
  #expect({ zone: desired, steps }: ZonePlan): void {
    const zone = this.#zones.get(desired.name.toLowerCase());
    if (!zone) return;
    for (const change of steps.flatMap(({ writes }) => writes)) this.#pointers.expect(this.#name(change), change);
    for (const name of new Set(steps.flatMap(({ writes }) => writes.map((change) => this.#name(change))))) {
      for (const moment of ["before", "after"] as const) {
        const answer = this.#names.answer(name.owner, moment);
        if (typeof answer !== "object" || answer.by === name) continue;
        if (answer.isReferral && has(answer.by, ["NS"], "before") && has(answer.by, ["NS"], "after")) continue;
        this.#cover(name, answer.by);
        const first = answer.part === undefined ? undefined : answer.by.zone.names.get(answer.part);
        if (first && first !== name) this.#cover(first, name);
        this.#waits.cover(name, answer, moment);
      }
    }
  }

  #cover(name: PlayedName, by: PlayedName): void {
    const list = this.#covered.get(by) ?? [];
    if (list.push(name) === 1) this.#covered.set(by, list);
  }

  #name(change: RecordChange): PlayedName {
    const name = this.#nameOf.get(change);
    if (!name) throw new Error("a change of no name");
    return name;
  }

  /** Writes, and says whether a set came or went with it. */
  #write(change: RecordChange): boolean {
    const name = this.#name(change);
    const { types } = name;
    const had = types.get(subject(change).type)?.now ?? 0;
    if (change.kind !== "create") {
      play(name, change.before, -1);
      this.#policies.play(name, change.before, -1);
    }
    if (change.kind !== "delete") {
      play(name, change.after, 1);
      this.#policies.play(name, change.after, 1);
    }
    return had === 0 || types.get(subject(change).type)?.now === 0;
  }

  *#setFaults({ zone, owner, types }: PlayedName, type: string): Generator<string> {
    const { before = 0, now = 0, after = 0 } = types.get(type) ?? {};
    if (zone.served.now && before > 0 && after > 0 && now === 0) yield `${owner} has no ${type} record`;
  }

  #nameFaults(name: PlayedName): string[] {
    const fault = name.zone.served.now ? this.#darkness(name) : undefined;
    return fault === undefined || this.#waits.isInCircle(name) ? [] : [fault];
  }

  #darkness(name: PlayedName): string | undefined {
    const [before, now, after] = moments.map((moment) => {
      const answer = this.#names.answer(name.owner, moment);
      if (typeof answer !== "object") return { exists: answer !== undefined, isReached: answer !== undefined };
      return { exists: true, isReached: answer.isReferral || has(answer.by, [...addresses, "CNAME"], moment) };
    });
    if (before?.exists && after?.exists && !now?.exists) return `${name.owner} does not exist`;
    if (before?.isReached && after?.isReached && !now?.isReached) return `${name.owner} has no address`;
    const isGone = moments.every((moment) => has(name, addresses, moment) === (moment !== "now"));
    return isGone ? `${name.owner} has no address of its own` : undefined;
  }
}

/** Do two names have as many records of each type? */
function areAlike(sets: Sets, others: Sets | undefined): boolean {
  const list = sets.values();
  if (others === undefined || list.length !== others.values().length) return false;
  for (const { type, records } of list) if (others.get(type)?.records.length !== records.length) return false;
  return true;
}

/** The service refuses it, so it counts also where nobody is served yet. */
function* standsAlone({ owner, types, nulls }: PlayedName): Generator<string> {
  const sum = (moment: keyof Count) => [...types.values()].reduce((all, count) => all + count[moment], 0);
  const isBeside = (moment: keyof Count) => (types.get("CNAME")?.[moment] ?? 0) > 0 && sum(moment) > 1;
  if (isBeside("now") && !isBeside("before") && !isBeside("after")) yield `${owner} has a CNAME beside others`;
  const isMixed = (moment: keyof Count) => nulls[moment] > 0 && (types.get("MX")?.[moment] ?? 0) > 1;
  if (isMixed("now") && !isMixed("before") && !isMixed("after")) yield `${owner} has a null MX beside others`;
}
