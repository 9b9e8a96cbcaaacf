import type { StoreVersion } from "../../store/driver.ts";
import { inTime, type Wait } from "../../store/in-time.ts";
import type { Store } from "../../store/store.ts";

/** Stands for the version of a store whose database does not answer. */
export const lost: StoreVersion = Symbol("lost");

/**
 * Time that a question waits for the database before it counts as lost, and then for its return, in milliseconds.
 * Resolvers wait longer.
 */
const longestWaitMs = { answer: 1000, return: 100 };

type WatchedStore = Pick<Store, "version" | "committed">;

/**
 * Reads the version of a store for questions, and notices if its database does not answer, because it is down,
 * unreachable, locked or hangs. From then on one read at a time waits for its answer.
 */
export class StoreWatch {
  readonly #store: WatchedStore;
  readonly #wait: Wait;
  /** Resolves to whether the lost database answers again in time: one wait for all questions until it does. */
  #return: Promise<boolean> | undefined;
  #isLost = false;
  /** The writes that this process had committed when the database was lost. */
  #committed = 0;

  constructor(store: WatchedStore, wait: Wait) {
    this.#store = store;
    this.#wait = wait;
  }

  /** The version at this moment or later, `lost` while the database does not answer. */
  version(): StoreVersion | Promise<StoreVersion> {
    // A write that was committed here since shows that the database is back, and its change may be asked for.
    if (this.#isLost && this.#store.committed() === this.#committed) return this.#versionAfterReturn();
    const committed = this.#store.committed();
    const version = this.#store.version();
    if (version instanceof Promise) return this.#versionInTime(version, committed);
    this.#isLost = false;
    return version;
  }

  async #versionInTime(read: Promise<StoreVersion | undefined>, committed: number): Promise<StoreVersion> {
    const version = await inTime(read, longestWaitMs.answer, lost, this.#wait);
    if (version !== undefined && version !== lost) {
      this.#isLost = false;
      return version;
    }
    if (this.#store.committed() !== committed) return this.version();
    this.#isLost = true;
    this.#committed = committed;
    if (version === lost) this.#return ??= this.#awaitReturn(read);
    return lost;
  }

  /** Reads the version again once the database answers: the answer may be older than the question. */
  async #versionAfterReturn(): Promise<StoreVersion> {
    this.#return ??= this.#awaitReturn(this.#store.version());
    return (await this.#return) ? this.version() : lost;
  }

  #awaitReturn(read: StoreVersion | Promise<StoreVersion | undefined>): Promise<boolean> {
    const isBack = Promise.resolve(read).then((version) => {
      if (version !== undefined) this.#isLost = false;
      this.#return = undefined;
      return !this.#isLost;
    });
    return inTime(isBack, longestWaitMs.return, false, this.#wait);
  }
}
