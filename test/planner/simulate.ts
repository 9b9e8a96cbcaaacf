import type { RecordChange, Step, ZonePlan } from "../../src/planner/change.ts";
import { writesOf } from "../../src/planner/change.ts";
import type { LiveRecord, LiveZone } from "../../src/zone/desired-live.ts";
import { isInside, type Name } from "../../src/zone/name.ts";
import { canonical, targets, type ZoneRecord } from "../../src/zone/zone.ts";
import { Names } from "./names.ts";
import { recordLine } from "./steps-text.ts";
import { origin, storedSettings } from "./world.ts";

/**
 * Plays the writes of a plan against a store that refuses what the service refuses (service: Records, CNAME and MX), and
 * after each write looks for what must never be (plan-apply: Order). Gives the zone at the end and every fault.
 */
export function play(plan: ZonePlan, live: LiveZone): { live: LiveZone; faults: string[] } {
  const play = new Play(plan, live);
  for (const step of plan.steps) {
    for (const [index, change] of step.writes.entries()) play.write(change, step, index);
  }
  return { live: play.end(), faults: play.faults };
}

class Play {
  readonly faults: string[] = [];
  readonly #plan: ZonePlan;
  readonly #live: LiveZone;
  readonly #before: Names;
  readonly #after: Names;
  readonly #written: ReadonlySet<ZoneRecord>;
  readonly #deleted: ReadonlySet<ZoneRecord>;
  readonly #store: Map<number, LiveRecord>;
  #now: Names;
  #nextId: number;

  constructor(plan: ZonePlan, live: LiveZone) {
    this.#plan = plan;
    this.#live = live;
    this.#before = new Names(live.records);
    this.#after = new Names(plan.zone.records);
    const writes = writesOf(plan);
    this.#written = new Set(writes.flatMap((change) => (change.kind === "delete" ? [] : [change.after])));
    this.#deleted = new Set(writes.flatMap((change) => (change.kind === "delete" ? [change.before] : [])));
    this.#store = new Map(live.records.map((record) => [record.id, record]));
    this.#now = this.#before;
    this.#nextId = Math.max(0, ...this.#store.keys()) + 1;
  }

  write(change: RecordChange, step: Step, index: number): void {
    const said = describe(change);
    const fault = (what: string) => this.faults.push(`${said}: ${what}`);
    for (const refusal of this.#carryOut(change)) fault(refusal);
    this.#now = new Names(this.#store.values());
    const record = change.kind === "delete" ? change.before : change.after;
    const inSwap = step.kind === "swap" && index < step.writes.length - 1;
    if (!inSwap) for (const what of this.#dark(record)) fault(what);
    for (const what of this.#doubled(record)) fault(what);
    if (change.kind === "create" || change.kind === "update")
      for (const what of this.#danglesAt(change.after)) fault(what);
    if (change.kind === "delete" && !this.#now.has(record.owner) && !inSwap)
      for (const what of this.#leftBehind(record.owner)) fault(what);
    for (const what of this.#glueless(change)) fault(what);
    if (
      step.kind === "swap" &&
      this.#before.types(record.owner).has("CNAME") === this.#after.types(record.owner).has("CNAME")
    )
      fault("a swap without need");
  }

  end(): LiveZone {
    const { settings } = this.#plan;
    const changed = Object.fromEntries(settings.map(({ name, after }) => [name, after]));
    return {
      ...this.#live,
      settings: storedSettings({ ...this.#live.settings, ...changed }),
      records: [...this.#store.values()],
    };
  }

  *#carryOut(change: RecordChange): Generator<string> {
    if (change.kind !== "create") {
      const stored = this.#store.get(change.before.id);
      if (stored !== change.before) yield "is not what is stored";
      this.#store.delete(change.before.id);
    }
    if (change.kind === "delete") return;
    const { owner, type, ttl, data } = change.after;
    const others = [...this.#store.values()].filter((other) => same(other.owner, owner));
    if (others.some((other) => type === "CNAME" || other.type === "CNAME")) yield "refused, a CNAME stands alone";
    const mx = type === "MX" ? others.filter((other) => other.type === "MX") : [];
    if (mx.some((other) => data.target === "." || other.data.target === ".")) yield "refused, a null MX stands alone";
    if (change.kind === "update" && (change.before.type !== type || !same(change.before.owner, owner)))
      yield "an update keeps name and type";
    const id = change.kind === "update" ? change.before.id : this.#nextId++;
    this.#store.set(id, { id, owner, type, ttl, data });
  }

  /** A name, or a set, that is there before and after has to be there all the time. */
  *#dark({ owner, type }: ZoneRecord): Generator<string> {
    if (this.#before.has(owner) && this.#after.has(owner) && !this.#now.has(owner)) yield "the name goes dark";
    const everywhere = [this.#before, this.#after].every((names) => names.types(owner).has(type));
    if (everywhere && !this.#now.types(owner).has(type)) yield "the set is empty";
  }

  /** Policies of one kind, like SPF, are never more than at the start or the end. */
  *#doubled({ owner }: ZoneRecord): Generator<string> {
    for (const [kind, count] of this.#now.policies(owner)) {
      const most = Math.max(1, this.#before.policies(owner).get(kind) ?? 0, this.#after.policies(owner).get(kind) ?? 0);
      if (count > most) yield `there are ${count} texts ${kind}`;
    }
  }

  /**
   * A target that the zone answers for at the end is there before the pointer. The one exception is a new name that gets
   * nothing but pointers, from which pointers that are written too lead back to the pointer's own name.
   */
  *#danglesAt(record: ZoneRecord): Generator<string> {
    for (const target of targets(record)) {
      const name = this.#after.answerer(target);
      if (name === undefined || this.#now.has(name) || same(name, record.owner)) continue;
      const isCircle =
        this.#after.onlyPoints(name, this.#written) && this.#after.leads(name, record.owner, this.#written);
      if (!isCircle) yield `${target} is not there yet`;
    }
  }

  /** What pointed to a name is gone before the name, unless it is to dangle at the end; circles as above. */
  *#leftBehind(owner: Name): Generator<string> {
    for (const record of this.#store.values()) {
      if (this.#after.holds(record) || same(record.owner, owner)) continue;
      for (const target of targets(record)) {
        if (this.#before.answerer(target) !== owner.toLowerCase()) continue;
        const isCircle =
          this.#before.onlyPoints(owner, this.#deleted) && this.#before.leads(owner, record.owner, this.#deleted);
        if (!isCircle) yield `${recordLine(record, origin)} still points to it`;
      }
    }
  }

  /**
   * A server inside the delegated zone has its address before it is named, and until it is named no more; but for one
   * that itself points, with an MX say, to where the delegation leads.
   */
  *#glueless(change: RecordChange): Generator<string> {
    const { owner } = change.kind === "delete" ? change.before : change.after;
    for (const record of this.#store.values()) {
      if (record.type !== "NS") continue;
      for (const target of targets(record).filter((target) => isInside(target, record.owner))) {
        if (this.#now.hasAddress(target)) continue;
        const isNamed = change.kind !== "delete" && change.after.data === record.data && this.#after.hasAddress(target);
        const isLost = same(target, owner) && this.#before.hasAddress(target) && !this.#after.holds(record);
        const isCircle = isLost
          ? this.#before.leads(target, record.owner, this.#deleted)
          : this.#after.leads(target, record.owner, this.#written);
        if ((isNamed || isLost) && !isCircle) yield `${recordLine(record, origin)} is without its glue`;
      }
    }
  }
}

/** max(old, new) − equal, summed over the sets; counted here without looking at the plan's writes. */
export function fewestWrites({ zone, defaultTtl }: ZonePlan, live: LiveZone): number {
  const setOf = ({ owner, type }: ZoneRecord) => `${owner.toLowerCase()} ${type}`;
  const ttlOf = ({ ttl = defaultTtl.after }: ZoneRecord) => ttl;
  const sets = new Set([...zone.records, ...live.records].map(setOf));
  return [...sets].reduce((sum, set) => {
    const wanted = zone.records.filter((record) => setOf(record) === set);
    const stored = live.records.filter((record) => setOf(record) === set);
    const equal = wanted.filter((want) =>
      stored.some(
        (record) => canonical(record) === canonical(want) && [ttlOf(want), want.otherTtl].includes(ttlOf(record)),
      ),
    );
    return sum + Math.max(wanted.length, stored.length) - equal.length;
  }, 0);
}

/** As text, for messages. */
function describe(change: RecordChange): string {
  const record = change.kind === "delete" ? change.before : change.after;
  return `${change.kind} ${recordLine(record, origin)}`;
}

function same(a: Name, b: Name): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
