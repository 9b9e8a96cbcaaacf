import type { Store } from "../store/store.ts";

/**
 * Runs at most `most` pieces of work at once, and at most `ofOne` of one owner; waiting owners are served in rotation.
 */
export class FairLimiter {
  readonly #most: number;
  readonly #ofOne: number;
  #running = 0;
  readonly #runningOf = new Map<string, number>();
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(most: number, ofOne = most) {
    this.#most = most;
    this.#ofOne = ofOne;
  }

  /** Runs the work once there is room for it, and returns its result. */
  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      const waiting = this.#waiting.get(owner);
      if (waiting) waiting.add(begin);
      else this.#waiting.set(owner, new Set([begin]));
      this.#next();
    });
    try {
      return await work();
    } finally {
      this.#count(owner, -1);
      this.#next();
    }
  }

  /** The same store, each of whose transactions waits for room without a connection. */
  limitStore(store: Store, owner = ""): Store {
    return {
      ...store,
      read: (work) => this.run(owner, () => store.read(work)),
      write: (work) => this.run(owner, () => store.write(work)),
    };
  }

  #next(): void {
    for (const [owner, waiting] of this.#waiting) {
      if (this.#running === this.#most) return;
      if (this.#runningOf.get(owner) === this.#ofOne) continue;
      const [begin] = waiting;
      if (begin) waiting.delete(begin);
      this.#waiting.delete(owner);
      if (waiting.size > 0) this.#waiting.set(owner, waiting); // behind the other owners
      this.#count(owner, 1);
      begin?.();
    }
  }

  #count(owner: string, by: number): void {
    this.#running += by;
    const running = (this.#runningOf.get(owner) ?? 0) + by;
    if (running === 0) this.#runningOf.delete(owner);
    else this.#runningOf.set(owner, running);
  }
}
