import { Kysely, type KyselyPlugin, SelectQueryNode } from "kysely";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { fileTrouble } from "../../formats/files.ts";
import type { Driver } from "./driver.ts";
import { migrate } from "./migrate.ts";
import { sqlite } from "./sqlite.ts";
import type { Database, Tables } from "./tables.ts";

/**
 * Where the service keeps everything (service: Store and scale). Both methods run their work in one transaction, which
 * is undone when the work throws; what the work of `read` sees is of one moment. The work waits for nothing but the database,
 * and does nothing else: it is run again when it collides with other work, or when another process holds the database.
 * @throws {ProblemError} `store-failed` when the database itself cannot do its work; nothing is half stored then.
 */
export interface Store {
  /** Where the database is, as it may be shown. */
  readonly place: string;
  read<T>(work: (db: Database) => Promise<T>): Promise<T>;
  write<T>(work: (db: Database) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Can the database not do its work? The cause is the driver's error. */
export function isStoreFailure(error: unknown): error is ProblemError {
  return error instanceof ProblemError && error.problem.id === "store-failed";
}

/**
 * Opens the store in PostgreSQL for a `postgres://` URL, in memory for `:memory:`, else in the file of this path. Runs the
 * migrations that it has not seen; several servers may start at the same moment. A database that another process holds is
 * waited for, see `Patience`.
 * @throws {ProblemError} `store-open` when that cannot be done, `store-newer` when a newer zonewright wrote it.
 */
export async function openStore(place: string, patience: Patience = usualPatience): Promise<Store> {
  const driver = await open(place);
  const db = new Kysely<Tables>({ dialect: driver.dialect });
  const readers = driver.readDialect ? new Kysely<Tables>({ dialect: driver.readDialect }) : db;
  const reads = readers.withPlugin(withoutLocks);
  const writes = driver.locksRows ? db : db.withPlugin(withoutLocks);
  const store: Store = {
    place: driver.place,
    read: (work) =>
      guard(driver, "read", () =>
        again(driver, patience, () =>
          reads.transaction().setAccessMode("read only").setIsolationLevel("repeatable read").execute(work),
        ),
      ),
    write: (work) => guard(driver, "write", () => again(driver, patience, () => writes.transaction().execute(work))),
    close: async () => {
      if (readers !== db) await readers.destroy();
      await db.destroy();
    },
  };
  try {
    await store.write((db) => migrate(db, driver));
  } catch (error) {
    await store.close();
    throw isStoreFailure(error) ? cannotOpen(driver.place, error.cause ?? error, driver) : error;
  }
  return store;
}

/** Is this a database behind a URL, and no path? */
export function isUrl(place: string): boolean {
  return /^postgres(ql)?:/i.test(place);
}

async function open(place: string): Promise<Driver> {
  try {
    // Not before it is asked for: the file database needs none of it.
    return isUrl(place) ? (await import("./postgres.ts")).postgres(place) : sqlite(place);
  } catch (error) {
    throw error instanceof ProblemError ? error : cannotOpen(place, error);
  }
}

function cannotOpen(place: string, error: unknown, driver?: Driver): ProblemError {
  return new ProblemError(
    problem("store-open", `cannot open the database ${place}`, {
      detail: `${driver?.failure(error) ?? fileTrouble(error)}.`,
      fix: driver?.fix ?? "Name a file in a folder that this user may write, on a disk with space left.",
    }),
  );
}

/** `for update` where nothing needs it: in a transaction that only reads, and in a database with one writer. */
const withoutLocks: KyselyPlugin = {
  transformQuery: ({ node }) => (SelectQueryNode.is(node) ? unlock(node) : node),
  transformResult: async ({ result }) => result,
};

function unlock({ endModifiers, ...rest }: SelectQueryNode): SelectQueryNode {
  return rest;
}

/** How long work waits for a database that another process holds. Times are milliseconds. */
export interface Patience {
  readonly total: number;
  /** A monotonic clock. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

const usualPatience: Patience = {
  total: 5000,
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** The pauses between two tries; the last one is repeated. */
const pauses = [2, 5, 10, 20, 50] as const;

/** How often work that collides is run again; the first time it sees what it collided with. */
const attempts = 5;

/** The event loop goes on while the work waits: nothing here waits inside of the database. */
async function again<T>({ collided, isBusy }: Driver, patience: Patience, work: () => Promise<T>): Promise<T> {
  const until = patience.now() + patience.total;
  let collisions = 0;
  for (let pause = 0; ; ) {
    try {
      return await work();
    } catch (error) {
      if (isBusy(error) && patience.now() < until)
        await patience.sleep(pauses[pause++] ?? pauses[pauses.length - 1] ?? 0);
      else if (!collided(error) || ++collisions === attempts) throw error;
    }
  }
}

async function guard<T>(driver: Driver, verb: "read" | "write", work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const failure = driver.failure(error);
    if (failure === undefined) throw error;
    throw new ProblemError(problem("store-failed", `The service cannot ${verb} its database: ${failure}`), {
      cause: error,
    });
  }
}
