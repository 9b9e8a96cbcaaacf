import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from "kysely";
import Libsql from "libsql";
import type { Driver } from "./driver.ts";

/** How long a write waits for another process that writes, in milliseconds. */
const patience = 5000;

/**
 * SQLite in a file, or in memory for `:memory:`: the one file that knows SQLite. The file and its folder are made when they
 * are missing. One connection: a transaction has the whole database, and the others wait for it.
 */
export function sqlite(path: string): Driver {
  if (path !== ":memory:") makeFolder(dirname(path));
  const database = open(path);
  // FULL is SQLite's default, said here because a reply of 200 promises that the change survives a power cut.
  for (const setting of ["journal_mode = wal", "synchronous = full", "foreign_keys = on"]) database.pragma(setting);
  return {
    place: path,
    dialect: {
      createDriver: () => new TransactionDriver(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (db) => new SqliteIntrospector(db),
    },
    columns: { id: ["integer", (column) => column.primaryKey().autoIncrement()], text: "text" },
    locksRows: false,
    alone: async () => {},
    collided: () => false,
    fix: "Name a file in a folder that this user may write, on a disk with space left.",
    failure: (error) => (error instanceof Error && "code" in error ? failures[family(String(error.code))] : undefined),
  };
}

/** Not `recursive`: Node 20 never comes back from a folder that the system refuses with ENOENT, as below /proc. */
function makeFolder(path: string): void {
  const stands = statSync(path, { throwIfNoEntry: false });
  if (stands?.isDirectory()) return;
  if (stands) throw new Error("a file stands where a folder should be");
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function open(path: string): Libsql.Database {
  try {
    return new Libsql(path, { timeout: patience });
  } catch (cause) {
    // libsql says it as `ConnectionFailed("Unable to open connection to local database …: 14")`.
    throw new Error("its file can neither be opened nor made", { cause });
  }
}

const failures: Record<string, string> = {
  FULL: "the disk is full",
  READONLY: "it is read-only",
  IOERR: "the disk reports an error",
  CANTOPEN: "its files cannot be opened",
  CORRUPT: "its file is damaged",
  NOTADB: "its file is not a database",
  BUSY: "another process holds it",
  LOCKED: "another process holds it",
  PERM: "permission denied",
};

/** `SQLITE_IOERR_WRITE` is of the family `IOERR` (sqlite.org/rescode.html). */
function family(code: string): string {
  return code.split("_")[1] ?? "";
}

class TransactionDriver extends SqliteDriver {
  readonly #database: Libsql.Database;

  constructor(database: Libsql.Database) {
    super({ database: bindable(database) });
    this.#database = database;
  }

  /** A transaction that will write takes the write lock at once; one that takes it later may fail after it has read. */
  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    await connection.executeQuery(
      CompiledQuery.raw(settings?.accessMode === "read only" ? "begin" : "begin immediate"),
    );
  }

  /**
   * SQLite has rolled back already when the disk was full; the reason must not be lost behind a second error. Asked for a
   * transaction after it was closed, libsql 0.5 aborts the whole program.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.open && this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
}

/** How many statements are kept ready. Filters make ever new ones, the rest are a few dozen. */
const ready = 200;

/** libsql 0.5 ends the whole process when a parameter is a boolean. Preparing a statement costs as much as running it. */
function bindable(database: Libsql.Database): SqliteDatabase {
  const plain = (parameters: ReadonlyArray<unknown>) =>
    parameters.map((value) => (typeof value === "boolean" ? Number(value) : value));
  const statements = new Map<string, ReturnType<SqliteDatabase["prepare"]>>();
  return {
    close: () => void database.close(),
    prepare(sql) {
      const known = statements.get(sql);
      if (known) return known;
      const statement = database.prepare(sql);
      const made: ReturnType<SqliteDatabase["prepare"]> = {
        reader: statement.reader,
        all: (parameters) => statement.all(plain(parameters)),
        run: (parameters) => statement.run(plain(parameters)),
        iterate: (parameters) => statement.iterate(plain(parameters)),
      };
      if (statements.size === ready) statements.clear();
      statements.set(sql, made);
      return made;
    },
  };
}
