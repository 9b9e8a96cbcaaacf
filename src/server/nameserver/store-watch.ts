import type { StoreVersion } from "../store/driver.ts";
import type { Store } from "../store/store.ts";
import type { Database } from "../store/tables.ts";

/** Stands for the version of a store whose database does not answer. */
export const lost: StoreVersion = Symbol("lost");

/**
 * Time that a question waits for the database before it counts as lost, and then for its return, in milliseconds.
 * Resolvers wait longer.
 */
const longestWaitMs = { answer: 1000, return: 100 };

type WatchedStore = Pick<Store, "version" | "read">;

/**
 * Reads the version of a store for questions, and notices if its database does not answer, because it is down,
 * unreachable, locked or hangs. From then on one read at a time waits for its answer.
 */
export class StoreWatch {
  readonly #store: WatchedStore;
  readonly #wait: (ms: number) => Promise<void>;
  /** Resolves to whether the lost database answers again. */
  #return: Promise<boolean> | undefined;
  #isLost = false;

  /** `wait` resolves when a question has waited for so many milliseconds. */
  constructor(store: WatchedStore, wait: (ms: number) => Promise<void>) {
    this.#store = store;
    this.#wait = wait;
  }

  /** The version at this moment or later, `lost` while the database does not answer. */
  version(): StoreVersion | Promise<StoreVersion> {
    if (this.#isLost) return this.#versionAfterReturn();
    const version = this.#store.version();
    return version === undefined || version instanceof Promise
      ? this.#versionInTime(version ?? this.#repeat())
      : version;
  }

  async #versionInTime(read: Promise<StoreVersion | undefined>): Promise<StoreVersion> {
    const version = await Promise.race([read, this.#wait(longestWaitMs.answer).then(() => lost)]);
    if (version !== undefined && version !== lost) return version;
    this.#isLost = true;
    this.#return ??= this.#awaitReturn(read);
    return lost;
  }

  /** Reads the version again once the database answers: the answer may be older than the question. */
  async #versionAfterReturn(): Promise<StoreVersion> {
    this.#return ??= this.#awaitReturn(this.#repeat());
    const isBack = await Promise.race([this.#return, this.#wait(longestWaitMs.return).then(() => false)]);
    return isBack ? this.version() : lost;
  }

  async #awaitReturn(read: Promise<StoreVersion | undefined>): Promise<boolean> {
    const isBack = (await read) !== undefined;
    if (isBack) this.#isLost = false;
    this.#return = undefined;
    return isBack;
  }

  /** A read, which waits while a database file is locked for a moment. */
  async #repeat(): Promise<StoreVersion | undefined> {
    try {
      const find = (db: Database) => db.selectFrom("accounts").select("id").limit(1).execute();
      await this.#store.read(find, { isSingle: true });
      return await this.#store.version();
    } catch {
      return undefined;
    }
  }
}
