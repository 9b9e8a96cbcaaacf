import type { Name } from "../zone/name.ts";
import type { ZonePlan } from "./change.ts";
import type { PlayedZone } from "./played-names.ts";

type Turn = NonNullable<ZonePlan["turn"]>;

/** The zones of a play that begin or cease to be served, until they have. */
export class PlayedTurns {
  readonly #open = new Map<PlayedZone, Turn>();
  readonly #names = new Set<Name>();
  /** Those that wait for a step, or for the turn of a zone. */
  readonly #after = new Map<number | Name, PlayedZone[]>();

  expect(zone: PlayedZone, turn: Turn = { needs: [] }): void {
    if (zone.served.now === zone.served.after) return;
    this.#open.set(zone, turn);
    this.#names.add(zone.name);
    for (const source of [...turn.needs, ...(turn.needsZones ?? []).map((name) => name.toLowerCase())]) {
      const list = this.#after.get(source);
      if (list) list.push(zone);
      else this.#after.set(source, [zone]);
    }
  }

  isOpen(name: Name): boolean {
    return this.#names.has(name.toLowerCase());
  }

  all(): Iterable<PlayedZone> {
    return [...this.#open.keys()];
  }

  /** What may turn once this step is done. */
  after(step: number): readonly PlayedZone[] {
    return this.#after.get(step) ?? [];
  }

  /**
   * Serves, or ceases to, those of the zones that have all that this needs, and the zones that wait for them. Gives each
   * right after that. `isDone` says it of a step, `left` how many steps a zone has.
   */
  *turn(
    zones: Iterable<PlayedZone>,
    isDone: (step: number) => boolean,
    left: (zone: PlayedZone) => number,
  ): Generator<PlayedZone> {
    const queue = new Set(zones);
    for (const zone of queue) {
      queue.delete(zone);
      const turn = this.#open.get(zone);
      if (turn === undefined || (zone.served.after && left(zone) > 0)) continue;
      if (!turn.needs.every(isDone) || turn.needsZones?.some((name) => this.isOpen(name))) continue;
      this.#open.delete(zone);
      this.#names.delete(zone.name);
      zone.served.now = zone.served.after;
      yield zone;
      for (const other of this.#after.get(zone.name) ?? []) queue.add(other);
    }
  }
}
