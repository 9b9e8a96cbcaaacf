import type { ZoneOverLimit } from "../changes/change.ts";
import { addNeed, type PlannedStep, type ZoneDraft } from "./draft.ts";
import { Order } from "./order.ts";

export interface FittedOrder {
  readonly order: Order;
  readonly over: readonly ZoneOverLimit[];
  /** Makes each creation that needs the room of a deletion depend on it, however the steps run concurrently. */
  readonly addNeeds: () => void;
}

/**
 * Moves deletions before creations in zones that would exceed the limit of records between the writes; undefined if no
 * zone would. All dependencies are kept. A zone with more records before or after the plan is on a service with another
 * limit, so it is ignored.
 */
export function fitRecords(order: Order, limit: number | undefined): FittedOrder | undefined {
  const zones = limit === undefined ? new Map<ZoneDraft, Room>() : tightZones(order, limit);
  return limit === undefined || zones.size === 0 ? undefined : new Fitting(order, zones, limit).run();
}

/** Lists the zones that would exceed the limit in this order, if another one is not allowed. */
export function zonesOverLimit(order: Order, limit: number): ZoneOverLimit[] {
  return [...tightZones(order, limit).keys()].flatMap((zone) => {
    let records = countLive(zone);
    let most = records;
    for (const draft of order.drafts) {
      if (draft.zone !== zone) continue;
      records += growthOf(draft);
      most = Math.max(most, records);
    }
    return most > limit ? [{ zone: zone.zone.name, records: most, limit }] : [];
  });
}

/** The records that a zone can still have. */
interface Room {
  /** Without any deletion. */
  left: number;
  /** By deletion, each as often as it leaves room for a record. */
  readonly freed: PlannedStep[];
  /** Deletions to move, in their order. */
  readonly deletions: PlannedStep[];
}

function tightZones(order: Order, limit: number): Map<ZoneDraft, Room> {
  const zones = new Map<ZoneDraft, { growth: number; sum: number; deletions: PlannedStep[] }>();
  for (const draft of order.drafts) {
    const one = zones.get(draft.zone) ?? { growth: 0, sum: 0, deletions: [] };
    zones.set(draft.zone, one);
    const growth = growthOf(draft);
    one.sum += growth;
    if (growth > 0) one.growth += growth;
    if (growth < 0) one.deletions.push(draft);
  }
  const tight = new Map<ZoneDraft, Room>();
  for (const [zone, { growth, sum, deletions }] of zones) {
    const live = countLive(zone);
    if (live > limit || live + sum > limit || live + growth <= limit) continue;
    tight.set(zone, { left: limit - live, freed: [], deletions });
  }
  return tight;
}

function countLive({ live }: ZoneDraft): number {
  return (live?.records.length ?? 0) + (live?.unknownRecords?.length ?? 0);
}

/** The number of records that a step adds; the deletions of a swap come first. */
function growthOf({ writes }: PlannedStep): number {
  return writes.reduce((sum, { kind }) => sum + (kind === "create" ? 1 : kind === "delete" ? -1 : 0), 0);
}

class Fitting {
  readonly #order: Order;
  readonly #zones: ReadonlyMap<ZoneDraft, Room>;
  readonly #limit: number;
  readonly #placed = new Set<PlannedStep>();
  readonly #waiting = new Map<PlannedStep, PlannedStep[]>();
  readonly #needs: [PlannedStep, PlannedStep][] = [];

  constructor(order: Order, zones: ReadonlyMap<ZoneDraft, Room>, limit: number) {
    this.#order = order;
    this.#zones = zones;
    this.#limit = limit;
  }

  run(): FittedOrder {
    for (const draft of this.#order.drafts) {
      if (this.#placed.has(draft)) continue;
      const room = this.#zones.get(draft.zone);
      const growth = growthOf(draft);
      if (room && growth > 0) this.#makeRoom(room, draft, growth);
      this.#place(draft);
    }
    const order = new Order([...this.#placed]);
    return {
      order,
      over: zonesOverLimit(order, this.#limit),
      addNeeds: () => {
        for (const [one, other] of this.#needs) addNeed(one, other, "required");
      },
    };
  }

  #makeRoom(room: Room, draft: PlannedStep, growth: number): void {
    for (let missing = growth; missing > 0; missing--) {
      if (room.left > 0) {
        room.left--;
        continue;
      }
      while (room.freed.length === 0 && this.#moveDeletion(room));
      const deletion = room.freed.pop();
      if (deletion === undefined) return;
      this.#needs.push([draft, deletion]);
    }
  }

  /** Places the next deletion that can come now, after its dependencies. Returns false if there is none. */
  #moveDeletion(room: Room): boolean {
    for (let next = room.deletions.shift(); next; next = room.deletions.shift()) {
      if (this.#placed.has(next)) continue;
      const found = this.#dependenciesOf(next);
      if (found instanceof Set) {
        for (const one of [...found].sort((a, b) => this.#order.at(a) - this.#order.at(b))) this.#place(one);
        return true;
      }
      const list = this.#waiting.get(found.creation);
      if (list) list.push(next);
      else this.#waiting.set(found.creation, [next]);
    }
    return false;
  }

  /** The step and those before it that are not placed yet, or a creation among them. */
  #dependenciesOf(draft: PlannedStep): Set<PlannedStep> | { readonly creation: PlannedStep } {
    const found = new Set([draft]);
    for (const one of found) {
      if (this.#zones.has(one.zone) && growthOf(one) > 0) return { creation: one };
      for (const need of one.needs.keys()) if (!this.#placed.has(need)) found.add(need);
    }
    return found;
  }

  #place(draft: PlannedStep): void {
    this.#placed.add(draft);
    const room = this.#zones.get(draft.zone);
    for (let growth = growthOf(draft); growth < 0; growth++) room?.freed.push(draft);
    for (const one of this.#waiting.get(draft) ?? []) this.#zones.get(one.zone)?.deletions.push(one);
    this.#waiting.delete(draft);
  }
}
