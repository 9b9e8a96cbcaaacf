import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { Kysely } from "kysely";
import { Refusal } from "../../diagnostics/diagnostic.ts";
import { fileTrouble } from "../../sources/files.ts";
import type { Driver } from "./driver.ts";
import { migrations } from "./migrations.ts";
import { sqlite } from "./sqlite.ts";
import type { Tables } from "./tables.ts";

/** A connection inside a transaction. */
export type Database = Kysely<Tables>;

/**
 * Where the service keeps everything (service: Store and scale). Both methods run their work in one transaction, which
 * is undone when the work throws. The work must not wait for anything but the database: it holds the only connection.
 * @throws {StoreFailure} when the database itself cannot do its work; nothing is half stored then.
 */
export interface Store {
  read<T>(work: (db: Database) => Promise<T>): Promise<T>;
  write<T>(work: (db: Database) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The database cannot do its work; the message is a sentence for a person, the cause is the driver's error. */
export class StoreFailure extends Error {
  override name = "StoreFailure";
}

/**
 * Opens the store in the file `path`, or in memory for `:memory:`. Makes the file and its folder when they are missing and
 * runs the migrations that it has not seen.
 * @throws {Refusal} `store-open` when that cannot be done, `store-newer` when a newer zonewright wrote the file.
 */
export async function openStore(path: string): Promise<Store> {
  const driver = await open(path);
  const db = new Kysely<Tables>({ dialect: driver.dialect });
  const store: Store = {
    read: (work) => guard(driver, "read", () => db.transaction().setAccessMode("read only").execute(work)),
    write: (work) => guard(driver, "write", () => db.transaction().execute(work)),
    close: () => db.destroy(),
  };
  try {
    await store.write((db) => migrate(db, path, driver));
  } catch (error) {
    await store.close();
    throw error instanceof StoreFailure ? cannotOpen(path, error.message) : error;
  }
  return store;
}

async function open(path: string): Promise<Driver> {
  try {
    if (path !== ":memory:") await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return sqlite(path);
  } catch (error) {
    throw cannotOpen(path, fileTrouble(error));
  }
}

function cannotOpen(path: string, why: string): Refusal {
  return new Refusal([
    {
      severity: "error",
      rule: "store-open",
      summary: `cannot open the database ${path}`,
      detail: `${why}.`,
      fix: "Name a file in a folder that this user may write, on a disk with space left.",
    },
  ]);
}

async function migrate(db: Database, path: string, { identity }: Driver): Promise<void> {
  const log = db.withTables<{ migrations: { name: string } }>();
  const table = log.schema.createTable("migrations").ifNotExists();
  await table.addColumn("name", "text", (column) => column.primaryKey()).execute();
  const done = new Set((await log.selectFrom("migrations").select("name").execute()).map(({ name }) => name));
  for (const { name, up } of migrations) {
    if (done.delete(name)) continue;
    await up(db, identity);
    await log.insertInto("migrations").values({ name }).execute();
  }
  if (done.size === 0) return;
  throw new Refusal([
    {
      severity: "error",
      rule: "store-newer",
      summary: `the database ${path} was written by a newer zonewright`,
      detail: `This one does not know ${[...done].join(", ")}.`,
      fix: "Start the newer version, or name another file.",
    },
  ]);
}

async function guard<T>(driver: Driver, verb: "read" | "write", work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const failure = driver.failure(error);
    if (failure === undefined) throw error;
    throw new StoreFailure(`The service cannot ${verb} its database: ${failure}`, { cause: error });
  }
}
