import type { DomainRow } from "../store/tables.ts";
import { parseTimestamp } from "./timestamp.ts";

type Change = Pick<DomainRow, "id" | "changed">;

/** Limit on the changes that are remembered; over it, those seen first are dropped. */
const mostSeen = 100_000;

/**
 * The waits of changes that are not rendered yet. Each takes at most the delay, by a monotonic clock, from the moment
 * at which this process saw the change first. The stored time of the change only shortens that: it may be in the
 * future, because the clock was set back since, or because another server's differs.
 */
export class RenderWaits {
  readonly #delay: number;
  readonly #monotonic: () => number;
  /** By domain, the stored time of its first change that is not rendered, and the end of its wait. */
  readonly #seen = new Map<number, { readonly changed: string; readonly until: number }>();

  /** `delay` is in milliseconds. */
  constructor(delay: number, monotonic: () => number) {
    this.#delay = delay;
    this.#monotonic = monotonic;
  }

  /** Notes a change that this process makes at this moment. */
  begin(id: number, changed: string): void {
    if (this.#delay > 0) this.#see(id, changed, this.#delay);
  }

  /** Whether a domain has a change that has waited long enough. */
  isOver({ id, changed }: Change, clock: () => Date): boolean {
    if (changed === null) return false;
    if (this.#delay === 0) return true;
    const seen = this.#seen.get(id);
    if (seen?.changed === changed) return seen.until <= this.#monotonic();
    const passed = Math.max(0, clock().getTime() - parseTimestamp(changed).getTime());
    return this.#see(id, changed, Math.max(0, this.#delay - passed)) <= this.#monotonic();
  }

  #see(id: number, changed: string, wait: number): number {
    const until = this.#monotonic() + wait;
    this.#seen.delete(id);
    this.#seen.set(id, { changed, until });
    for (const first of this.#seen.keys()) {
      if (this.#seen.size <= mostSeen) break;
      this.#seen.delete(first);
    }
    return until;
  }
}
