import { root } from "../../../src/dns/name/name.ts";
import { canonical, targets, type ZoneRecord } from "../../../src/dns/zone/zone.ts";
import { isServed, type Plan, type RecordChange } from "../../../src/planner/changes/change.ts";
import { zoneOf } from "../../planner/world.ts";
import { declaredGaps } from "./declared.ts";
import { Lookup } from "./lookup.ts";
import { modelOf } from "./model.ts";
import { settingsOf } from "./order.ts";
import { danglingOf, newPointers, wholeOf } from "./pointers.ts";
import { type Probe, probesOf } from "./probes.ts";
import { isWatched } from "./trial.ts";
import type { DarkWorld, Stored } from "./world.ts";

/** More writes than this have too many orders to be looked at. */
export const mostWrites = 9;

interface Event {
  readonly zone: string;
  /** Undefined where the zone is activated or disabled. */
  readonly change: RecordChange | undefined;
  readonly isDeletion?: boolean;
  /** The writes of the same swap have the same number. */
  readonly swap?: number;
}

/**
 * All orders of a plan's writes, whatever the plan says of their order; but those of a swap stay together. What is dark
 * depends only on which writes are done, so each subset of the writes is looked at once. A zone is activated after its
 * writes and disabled before them, and others are deleted last. No state may be one that the API refuses, or in which a
 * name that stays has no record.
 */
export class Orders {
  readonly #events: readonly Event[];
  /** For each subset that may be, as bits, what is dark then as `owner type`. */
  readonly #dark: ReadonlyMap<number, ReadonlySet<string>>;
  /** The new pointers that lead to a name that is not there then, by their keys. */
  readonly #dangling: ReadonlyMap<number, ReadonlySet<string>>;

  private constructor(
    events: readonly Event[],
    dark: ReadonlyMap<number, ReadonlySet<string>>,
    dangling: ReadonlyMap<number, ReadonlySet<string>>,
  ) {
    this.#events = events;
    this.#dark = dark;
    this.#dangling = dangling;
  }

  /** Undefined where there are too many writes. */
  static async of(world: DarkWorld, plan: Plan, stored: Stored): Promise<Orders | undefined> {
    const events = eventsOf(plan);
    if (events.length > mostWrites) return undefined;
    const state = new States(world, plan, stored, events);
    const zones = world.zones.map(({ name }) => name);
    const secondaries = world.zones.filter(({ isSecondary }) => isSecondary).map(({ name }) => name);
    const all = probesOf(world, plan, declaredGaps(plan));
    const lookupAt = (mask: number) => new Lookup(modelOf(state.served(mask)), zones).without(secondaries);
    const endsOf = (lookup: Lookup, probes: readonly Probe[]) =>
      Promise.all(probes.map(({ name, type }) => lookup.end(name, type)));
    const full = 2 ** events.length - 1;
    const [before, after] = [await endsOf(lookupAt(0), all), await endsOf(lookupAt(full), all)];
    const probes = all.filter((probe, index) => {
      const [first, last] = [before[index], after[index]];
      return first !== undefined && last !== undefined && isWatched(probe, first, last);
    });
    const pointers = await wholeOf(newPointers(world), lookupAt(full));
    const dark = new Map<number, ReadonlySet<string>>();
    const dangling = new Map<number, ReadonlySet<string>>();
    for (let mask = 0; mask <= full; mask++) {
      if (!state.isAllowed(mask)) continue;
      const lookup = lookupAt(mask);
      const now = await endsOf(lookup, probes);
      const empty = probes.filter((_, index) => now[index] === undefined);
      dark.set(mask, new Set(empty.map(({ owner, type }) => `${owner} ${type}`)));
      dangling.set(mask, await danglingOf(pointers, lookup));
    }
    return new Orders(events, dark, dangling);
  }

  /**
   * An order in which nothing is dark but these, and no pointer leads nowhere but those, where given; undefined where
   * there is none. The events are numbers from 0.
   */
  within(allowed: ReadonlySet<string>, pointers?: ReadonlySet<string>): readonly number[] | undefined {
    const full = 2 ** this.#events.length - 1;
    const isFree = (mask: number) =>
      [...(this.#dark.get(mask) ?? ["?"])].every((one) => allowed.has(one)) &&
      (pointers === undefined || [...(this.#dangling.get(mask) ?? [])].every((one) => pointers.has(one)));
    const cameBy = new Map<number, number>([[0, -1]]);
    const open = [0];
    for (const mask of open) {
      if (mask === full) break;
      for (let index = 0; index < this.#events.length; index++) {
        const next = mask | (1 << index);
        if (next === mask || cameBy.has(next) || !this.#dark.has(next) || !isFree(next)) continue;
        if (!this.#mayFollow(mask, index)) continue;
        cameBy.set(next, index);
        open.push(next);
      }
    }
    if (!cameBy.has(full)) return undefined;
    const way: number[] = [];
    for (let mask = full; mask !== 0; ) {
      const index = cameBy.get(mask) ?? 0;
      way.unshift(index);
      mask &= ~(1 << index);
    }
    return way;
  }

  /** Nothing comes between the writes of a swap, so that none is left half done for longer than it must. */
  #mayFollow(mask: number, next: number): boolean {
    const swaps = this.#events.map(({ swap }) => swap);
    const [done, open] = [true, false].map((isDone) =>
      swaps.filter((_, index) => ((mask & (1 << index)) !== 0) === isDone),
    );
    const begun = swaps.find((swap) => swap !== undefined && done?.includes(swap) && open?.includes(swap));
    return begun === undefined || swaps[next] === begun;
  }

  describe(order: readonly number[]): string[] {
    return order.map((index) => {
      const { zone, change } = this.#events[index] as Event;
      if (change === undefined) return `activate, disable or delete ${zone}`;
      const record = change.kind === "delete" ? change.before : change.after;
      return `${change.kind} ${record.owner} ${record.type} ${canonical(record)}`;
    });
  }
}

function eventsOf({ zones, deletions }: Plan): Event[] {
  const last = deletions.map(({ name }): Event => ({ zone: name, change: undefined, isDeletion: true }));
  const events = zones.flatMap((zone): Event[] => {
    const records = zone.steps.flatMap(({ id, kind, writes }) =>
      writes.map((change) => ({ zone: zone.zone.name, change, ...(kind === "swap" && { swap: id }) })),
    );
    const { before, after } = isServed(zone);
    const isTurned = before !== after && settingsOf(zone).length > 0;
    return isTurned ? [...records, { zone: zone.zone.name, change: undefined }] : records;
  });
  return [...events, ...last];
}

/** The stored and served zones after a subset of the writes. */
class States {
  readonly #world: DarkWorld;
  readonly #plan: Plan;
  readonly #stored: Stored;
  readonly #events: readonly Event[];

  constructor(world: DarkWorld, plan: Plan, stored: Stored, events: readonly Event[]) {
    this.#world = world;
    this.#plan = plan;
    this.#stored = stored;
    this.#events = events;
  }

  served(mask: number): Map<string, readonly ZoneRecord[]> {
    const zones = new Map<string, readonly ZoneRecord[]>();
    for (const { name, isSecondary, before } of this.#world.zones) {
      if (this.#isDeleted(name, mask)) continue;
      if (isSecondary) zones.set(name, [...zoneOf(before?.lines.join("\n") ?? "", name).records]);
      else if (this.#isServed(name, mask)) zones.set(name, this.#records(name, mask));
    }
    return zones;
  }

  /** Whether the API allows this state, and the executor reaches it. */
  isAllowed(mask: number): boolean {
    const isDone = (_: Event, index: number) => (mask & (1 << index)) !== 0;
    const isDeleting = this.#events.filter(isDone).some(({ isDeletion }) => isDeletion);
    if (isDeleting && !this.#events.every((event, index) => event.isDeletion || isDone(event, index))) return false;
    for (const zone of this.#plan.zones) {
      const name = zone.zone.name;
      const [own, activation] = [this.#bits(name, false), this.#bits(name, true)];
      const { before } = isServed(zone);
      if (
        activation !== 0 &&
        (before ? (mask & activation) === 0 && (mask & own) !== 0 : (mask & activation) !== 0 && (mask & own) !== own)
      )
        return false;
      if (!standAlone(this.#records(name, mask)) || this.#isEmptied(name, mask)) return false;
    }
    return true;
  }

  /**
   * Whether a name with records on both sides has none now. Outside of a swap no order may do that, even if a wildcard
   * answers: after NXDOMAIN, a resolver need not ask for any type of the name, nor below it (RFC 8020).
   */
  #isEmptied(zone: string, mask: number): boolean {
    const ownersAt = (mask: number) => new Set(this.#records(zone, mask).map(({ owner }) => owner.toLowerCase()));
    const [before, now, after] = [ownersAt(0), ownersAt(mask), ownersAt(2 ** this.#events.length - 1)];
    const swapped = this.#events.flatMap(({ change, swap }) =>
      change && swap !== undefined ? (change.kind === "delete" ? change.before : change.after).owner.toLowerCase() : [],
    );
    return [...before].some((owner) => after.has(owner) && !now.has(owner) && !swapped.includes(owner));
  }

  #isDeleted(name: string, mask: number): boolean {
    return this.#events.some(
      ({ zone, isDeletion }, index) => isDeletion && zone === name && (mask & (1 << index)) !== 0,
    );
  }

  #isServed(name: string, mask: number): boolean {
    const stored = this.#stored.get(name);
    const zone = this.#plan.zones.find((one) => one.zone.name === name);
    if (zone === undefined) return stored !== undefined && stored.settings.status !== "disabled";
    const { before, after } = isServed(zone);
    const activation = this.#bits(name, true);
    return activation !== 0 && (mask & activation) !== 0 ? after : before;
  }

  #records(name: string, mask: number): ZoneRecord[] {
    const gone = new Set<ZoneRecord>();
    const come: ZoneRecord[] = [];
    for (const [index, { zone, change }] of this.#events.entries()) {
      if (zone !== name || change === undefined || (mask & (1 << index)) === 0) continue;
      if (change.kind !== "create") gone.add(change.before);
      if (change.kind !== "delete") come.push(change.after);
    }
    return [...(this.#stored.get(name)?.records ?? []).filter((record) => !gone.has(record)), ...come];
  }

  #bits(name: string, isTurn: boolean): number {
    return this.#events.reduce(
      (bits, { zone, change }, index) =>
        zone === name && (change === undefined) === isTurn ? bits | (1 << index) : bits,
      0,
    );
  }
}

function standAlone(records: readonly ZoneRecord[]): boolean {
  const at = new Map<string, ZoneRecord[]>();
  for (const record of records)
    at.set(record.owner.toLowerCase(), [...(at.get(record.owner.toLowerCase()) ?? []), record]);
  return [...at.values()].every((list) => {
    const mail = list.filter(({ type }) => type === "MX");
    const isMixed = mail.length > 1 && mail.some((record) => targets(record)[0] === root);
    return !isMixed && (list.length === 1 || list.every(({ type }) => type !== "CNAME"));
  });
}
