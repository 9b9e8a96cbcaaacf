import { addToList } from "../../group-by.ts";
import type { Store } from "../store/store.ts";

/** Limits on the pieces of work that wait, in total and per owner. */
interface WaitingLimits {
  readonly all: number;
  readonly ofOne: number;
}

const unlimited: WaitingLimits = { all: Number.POSITIVE_INFINITY, ofOne: Number.POSITIVE_INFINITY };

/**
 * Runs at most `most` pieces of work at once, and at most `ofOne` of one owner; waiting owners are served in rotation.
 * `later` calls a function that makes room after work has ended, at once by default.
 */
export class FairLimiter {
  readonly #most: number;
  readonly #ofOne: number;
  readonly #mostWaiting: WaitingLimits;
  readonly #later: (makeRoom: () => void) => unknown;
  #running = 0;
  readonly #runningOf = new Map<string, number>();
  readonly #waiting = new Rotation<() => void>();

  constructor(
    most: number,
    ofOne = most,
    mostWaiting = unlimited,
    later: (makeRoom: () => void) => unknown = (makeRoom) => makeRoom(),
  ) {
    this.#most = most;
    this.#ofOne = ofOne;
    this.#mostWaiting = mostWaiting;
    this.#later = later;
  }

  /** Whether work of this owner would begin at once, if none waits. */
  hasRoom(owner: string): boolean {
    return this.#running < this.#most && (this.#runningOf.get(owner) ?? 0) < this.#ofOne;
  }

  /** The pieces of work of an owner that wait. */
  countWaiting(owner: string): number {
    return this.#waiting.count(owner);
  }

  /** Whether as much work waits as may, of this owner or in total. */
  isFull(owner: string): boolean {
    const { all, ofOne } = this.#mostWaiting;
    return this.#waiting.size >= all || this.#waiting.count(owner) >= ofOne;
  }

  /**
   * Runs the work once there is room for it, and returns its result. Work whose signal is aborted until then neither
   * waits nor runs. @throws the reason of the signal
   */
  async run<T>(owner: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#waiting.size === 0 && this.hasRoom(owner)) this.#count(owner, 1);
    else await this.#wait(owner, signal);
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      this.#later(() => {
        this.#count(owner, -1);
        this.#next();
      });
    }
  }

  /** The same store for long work: transactions wait for room without a connection, single statements do not. */
  limitStore(store: Store, owner = ""): Store {
    return {
      ...store,
      read: (work, options) =>
        options?.isSingle ? store.read(work, options) : this.run(owner, () => store.read(work, { pace: "long" })),
      write: (work) => this.run(owner, () => store.write(work, { isLong: true })),
    };
  }

  #wait(owner: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((begin, abandon) => {
      const abort = () => {
        this.#waiting.delete(owner, start);
        abandon(signal?.reason);
      };
      const start = () => {
        signal?.removeEventListener("abort", abort);
        begin();
      };
      signal?.addEventListener("abort", abort);
      this.#waiting.add(owner, start);
      this.#next();
    });
  }

  #next(): void {
    while (this.#running < this.#most) {
      const next = this.#waiting.take((owner) => this.hasRoom(owner));
      if (next === undefined) return;
      this.#count(next.owner, 1);
      next.item();
    }
  }

  #count(owner: string, by: number): void {
    this.#running += by;
    const running = (this.#runningOf.get(owner) ?? 0) + by;
    if (running === 0) this.#runningOf.delete(owner);
    else this.#runningOf.set(owner, running);
  }
}

/** Waiting items of different owners. The owner of an item that is taken is served again behind all others. */
export class Rotation<T> {
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  /** The number of all that wait. */
  get size(): number {
    return this.#size;
  }

  /** The number that waits for an owner. */
  count(owner: string): number {
    return this.#waiting.get(owner)?.length ?? 0;
  }

  add(owner: string, item: T): void {
    addToList(this.#waiting, owner, item);
    this.#size++;
  }

  delete(owner: string, item: T): void {
    const items = this.#waiting.get(owner);
    const index = items?.indexOf(item) ?? -1;
    if (items === undefined || index < 0) return;
    items.splice(index, 1);
    this.#size--;
    if (items.length === 0) this.#waiting.delete(owner);
  }

  /** Takes the oldest item of the next owner, among those that are admitted; undefined if nothing waits for any. */
  take(isAdmitted: (owner: string) => boolean = () => true): { readonly owner: string; readonly item: T } | undefined {
    for (const [owner, items] of this.#waiting) {
      if (!isAdmitted(owner)) continue;
      const item = items.shift() as T;
      this.#size--;
      if (items.length === 0 || this.#waiting.size > 1) this.#waiting.delete(owner);
      if (items.length > 0) this.#waiting.set(owner, items);
      return { owner, item };
    }
    return undefined;
  }
}
