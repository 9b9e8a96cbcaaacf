import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { fileErrorReason } from "../../formats/files.ts";
import {
  cannotOpen,
  type Driver,
  nameFolder,
  type ReadWorkOptions,
  type StoreOctets,
  type StoreVersion,
  type WriteWorkOptions,
} from "./driver.ts";
import { loadDriver } from "./load-driver.ts";
import { migrateStore } from "./migrate.ts";
import type { Database } from "./tables.ts";

/**
 * The database of the service (decisions/service#database). Its methods run their work in one transaction, which is
 * rolled back if the work throws; `read` sees one consistent state. The work must wait for nothing but the database and
 * have no other effects: it is repeated after a conflict with another transaction, or if another process locks the
 * database.
 * @throws {ProblemError} `store-failed` if the database fails; nothing is stored partially.
 */
export interface Store {
  /** The location of the database in messages. */
  readonly place: string;
  /** @internal Limit on the transactions of short reads at once. */
  readonly mostShortReads: number;
  /** @internal */
  read<T>(work: (db: Database) => Promise<T>, options?: ReadWorkOptions): Promise<T>;
  /** @internal */
  write<T>(work: (db: Database) => Promise<T>, options?: WriteWorkOptions<T>): Promise<T>;
  /**
   * Like `write`, but one at a time among all processes, so that it also sees rows that it did not find to lock.
   *
   * @internal
   */
  writeAlone<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /**
   * The state of the database at this moment: it differs after every commit, here or in another process, so that what
   * was read since a call is current while calls return the same. It costs no transaction; SQLite answers at once,
   * unless it is locked. Undefined if the database does not answer.
   *
   * @internal
   */
  version(): StoreVersion | Promise<StoreVersion | undefined>;
  /**
   * The version without a query. Where the database cannot tell without one, as PostgreSQL, it differs at each call.
   *
   * @internal
   */
  knownVersion(): StoreVersion;
  /**
   * The number of writes that were committed through this store.
   *
   * @internal
   */
  committed(): number;
  /**
   * The size of the database.
   *
   * @internal
   */
  octets(): Promise<StoreOctets>;
  /**
   * The time of the database, if its servers may be on several hosts: their clocks may differ.
   *
   * @internal
   */
  now?(): Date;
  /**
   * A failure with the place of the database, the reason and advice, for a person who runs a command on it.
   *
   * @internal
   */
  explain(failure: StoreFailure): ProblemError;
  close(): Promise<void>;
}

/** A failure of the database; `cause` is the driver's error. */
export class StoreFailure extends ProblemError {
  readonly access: "read" | "write";

  constructor(access: StoreFailure["access"], reason: string, cause: unknown) {
    const summary = `The service cannot ${access === "read" ? "read" : "write to"} its database: ${reason}`;
    super(problem("store-failed", summary), { cause });
    this.access = access;
  }
}

export function isStoreFailure(error: unknown): error is StoreFailure {
  return error instanceof StoreFailure;
}

/**
 * Opens the store in PostgreSQL for a `postgres://` URL, in memory for `:memory:`, otherwise in the file of this path,
 * and runs pending migrations; several servers may start at the same moment. It waits for a locked database, see
 * `LockWait`.
 * @throws {ProblemError} `store-open` if that fails, `store-newer` if a newer version wrote the database.
 */
export async function openStore(place: string, lockWait: LockWait = defaultLockWait): Promise<Store> {
  const driver = await open(place);
  let committed = 0;
  const store: Store = {
    place: driver.place,
    mostShortReads: driver.mostShortReads,
    read: (work, options) => retry(driver, lockWait, "read", () => driver.read(work, options)),
    write: async (work, options) => {
      const result = await retry(driver, lockWait, "write", () => driver.write(work, options));
      committed++;
      return result;
    },
    writeAlone: (work) =>
      store.write(async (db) => {
        await driver.excludeOthers(db);
        return work(db);
      }),
    version: () => driver.version(store.read),
    knownVersion: () => driver.knownVersion(),
    committed: () => committed,
    octets: () => driver.octets(store.read),
    ...(driver.now && { now: driver.now }),
    explain: (failure) => explain(failure, driver),
    close: () => driver.close(),
  };
  try {
    await store.writeAlone((db) => migrateStore(db, driver));
    await store.version(); // with the first reading of the time
  } catch (error) {
    await store.close();
    if (!isStoreFailure(error)) throw error;
    const { reason = driver.failure(error.cause) ?? "", fix } = driver.explain(error.cause);
    throw cannotOpen(driver.place, { reason, fix });
  }
  return store;
}

/** Whether a place is a URL and not a path. */
export function isUrl(place: string): boolean {
  return /^postgres(ql)?:/i.test(place);
}

async function open(place: string): Promise<Driver> {
  try {
    if (isUrl(place)) return (await loadDriver(() => import("./postgres/postgres.ts"))).postgres(place);
    return (await loadDriver(() => import("./sqlite/sqlite.ts"))).sqlite(place);
  } catch (error) {
    throw error instanceof ProblemError
      ? error
      : cannotOpen(place, { reason: fileErrorReason(error), fix: nameFolder });
  }
}

function explain(failure: StoreFailure, driver: Driver): ProblemError {
  const { reason, fix } = driver.explain(failure.cause);
  const detail = `The database is ${driver.place}${reason === undefined ? "" : `: ${reason}`}.`;
  return new ProblemError({ ...failure.problem, detail, fix }, { cause: failure });
}

/** Time to wait for a database that another process locks, or that has no connection left, in milliseconds. */
export interface LockWait {
  readonly total: number;
  /** A monotonic clock. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

const defaultLockWait: LockWait = {
  total: 5000,
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** The pauses between attempts; the last one is repeated. */
const pauses = [2, 5, 10, 20, 50] as const;

/** Attempts of a transaction that conflicts with others; each sees the results of those before. */
const attempts = 5;

/**
 * Repeats work that finds the database locked or without a connection left, or conflicts. It waits outside of the
 * database, so the event loop continues.
 * @throws {ProblemError} `store-failed` if the database fails.
 */
async function retry<T>(
  driver: Driver,
  lockWait: LockWait,
  access: StoreFailure["access"],
  work: () => Promise<T>,
): Promise<T> {
  const { hasCollided, isBusy } = driver;
  const until = lockWait.now() + lockWait.total;
  let collisions = 0;
  for (let pause = 0; ; ) {
    try {
      return await work();
    } catch (error) {
      if (isBusy(error) && lockWait.now() < until)
        await lockWait.sleep(pauses[pause++] ?? pauses[pauses.length - 1] ?? 0);
      else if (!hasCollided(error) || ++collisions === attempts) throw asFailure(error, driver, access);
    }
  }
}

/** The failure of a database; any other error as it is. */
function asFailure(error: unknown, driver: Driver, access: StoreFailure["access"]): unknown {
  const reason = driver.failure(error);
  return reason === undefined ? error : new StoreFailure(access, reason, error);
}
