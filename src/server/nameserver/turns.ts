import type { StoreVersion } from "../store/driver.ts";
import type { KnownZones } from "./zones/stored-zones.ts";

/** The queries of one transport that wait for an answer. */
export interface QueryQueue {
  /** Chooses the queries of the next turn from those that have arrived; false if there are none. */
  choose(): boolean;
  /** Answers the chosen ones. The version of the store was read after they arrived; undefined if it has none. */
  answer(version: StoreVersion | undefined): void;
}

/**
 * Answers queries in turns of the event loop, so that it serves others between them. A turn reads the version of the
 * store once for all of its queries, after the last of them arrived: no answer is older than its question, also when
 * another process changed the zone. Queries that arrive while PostgreSQL reads the version wait for the next turn, so
 * that they take one of its connections.
 */
export class Turns {
  readonly #known: KnownZones | undefined;
  readonly #queues: QueryQueue[] = [];
  readonly #begin = () => this.#run();
  #isUnderWay = false;
  #isNextWanted = false;
  #onEnd: (() => void) | undefined;

  constructor(known: KnownZones | undefined) {
    this.#known = known;
  }

  /** Adds a queue, whose queries are answered after those of earlier queues in each turn. */
  add(queue: QueryQueue): void {
    this.#queues.push(queue);
  }

  /** Must be called when queries have arrived, and when some are left after a turn. */
  request(): void {
    this.#isNextWanted = true;
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    setImmediate(this.#begin);
  }

  /** Resolves when no turn is wanted. */
  async end(): Promise<void> {
    if (!this.#isUnderWay) return;
    await new Promise<void>((resolve) => {
      this.#onEnd = resolve;
    });
  }

  #run(): void {
    this.#isNextWanted = false;
    const chosen = this.#queues.filter((queue) => queue.choose());
    const version = chosen.length === 0 ? undefined : this.#known?.version();
    if (version instanceof Promise) void version.then((version) => this.#answer(chosen, version));
    else this.#answer(chosen, version);
  }

  #answer(chosen: readonly QueryQueue[], version: StoreVersion | undefined): void {
    for (const queue of chosen) queue.answer(version);
    if (this.#isNextWanted) return void setImmediate(this.#begin);
    this.#isUnderWay = false;
    this.#onEnd?.();
  }
}
