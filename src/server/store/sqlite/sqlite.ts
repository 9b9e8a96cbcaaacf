import { statSync } from "node:fs";
import { type SelectQueryNode, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely";
import Libsql from "libsql";
import { advise, type Fix } from "../../../diagnostics/advice.ts";
import { type Driver, nameFolder, runAlone, type StoreVersion } from "../driver.ts";
import { GroupWriter, type OpenTransaction } from "../group-writer.ts";
import { Language, withoutLocks } from "../language.ts";
import type { Columns } from "../migrations.ts";
import { makePrivateFile } from "../private-file.ts";
import { Checkpointer, largestLog } from "./checkpointer.ts";
import { SqliteConnection } from "./connection.ts";
import { SqliteReaders } from "./readers.ts";
import { SqliteVersion } from "./version.ts";

/**
 * SQLite in a file, or in memory for `:memory:`. The file and its folder are created if missing. One connection writes;
 * in a file, others read beside it (WAL), so reads wait neither for a write nor for each other. No statement waits for
 * the lock of another process, which would block the event loop: it fails with SQLITE_BUSY, and the store tries again.
 */
export function sqlite(path: string): Driver {
  const isFile = path !== ":memory:";
  if (isFile) makePrivateFile(path);
  const log = isFile ? new Checkpointer(path) : undefined;
  const opened = open(path);
  const connection = new WriteConnection(path, opened, () => void log?.look());
  const writer = new GroupWriter({
    language,
    mostInGroup: 512,
    // All requests that can be read from their sockets are read before the next turn.
    gather: () => (isFile ? new Promise((resolve) => setImmediate(resolve)) : Promise.resolve()),
    begin: () => connection.begin(),
    isFailure: (error) => failures[family(error)] !== undefined,
    isBlocked: () => false,
    mayHaveCommitted: () => false,
  });
  // Everything in memory goes through one connection, which counts its changes.
  const version = isFile
    ? new SqliteVersion({ open: () => openReader(path), query: "pragma data_version" })
    : new SqliteVersion({ open: () => opened, query: "select total_changes()" });
  const readers = isFile ? new SqliteReaders(() => openReader(path), language) : undefined;
  return {
    place: path,
    mostShortReads: 4,
    columns: {
      id: ["integer", (column) => column.primaryKey().autoIncrement()],
      text: "text",
      estimate,
      createTrigger,
      countRecords,
    },
    read: (work, options = {}) =>
      readers
        ? readers.read(work, options)
        : writer.write((db) => language.runPart(db, work, options), { isAlone: options.pace === "long" }),
    write: async (work, { isLong, signal, batch } = {}) => {
      if (batch === undefined) return writer.write(work, { isAlone: isLong, signal });
      const result = await writer.writeBatch(batch, signal);
      return result === runAlone ? writer.write(work, { isAlone: true, signal }) : result;
    },
    excludeOthers: async () => {},
    version: (read) => version.read() ?? versionAfter(version, read),
    knownVersion: () => version.read() ?? Symbol(),
    close: async () => {
      await log?.close();
      version.close();
      readers?.close();
      connection.close();
    },
    hasCollided: () => false,
    isBusy: (error) => isBusy(error),
    fix: (error) => fixes[family(error)] ?? nameFolder,
    failure: (error) => failures[family(error)],
  };
}

const language = new Language({
  createQueryCompiler: () =>
    new (class extends SqliteQueryCompiler {
      protected override visitSelectQuery(node: SelectQueryNode): void {
        super.visitSelectQuery(withoutLocks(node));
      }
    })(),
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
});

/** A read waits while the file is locked for a moment. */
async function versionAfter(version: SqliteVersion, read: Driver["read"]): Promise<StoreVersion | undefined> {
  try {
    await read((db) => db.selectFrom("accounts").select("id").limit(1).execute(), { isSingle: true });
    return version.read();
  } catch {
    return undefined;
  }
}

/** Stores estimates as if ANALYZE had found them, which SQLite provides for (sqlite.org/optoverview.html, 9.1). */
const estimate: NonNullable<Columns["estimate"]> = async (db, table, indexes) => {
  await sql`analyze ${sql.table(table)}`.execute(db); // creates the table of statistics
  await sql`delete from sqlite_stat1 where tbl = ${table}`.execute(db);
  for (const [index, rows] of Object.entries(indexes))
    await sql`insert into sqlite_stat1 (tbl, idx, stat) values (${table}, ${index}, ${rows})`.execute(db);
  await sql`analyze sqlite_schema`.execute(db); // reads them again
};

/** Triggers, so that no statement and no version of the server can change the records without their count. */
const countRecords: Columns["countRecords"] = async (db) => {
  const count = (sign: string, row: string) =>
    sql.raw(`update domains set records = records ${sign} 1 where id = ${row}.domain_id`);
  await sql`create trigger count_added after insert on records begin ${count("+", "new")}; end`.execute(db);
  await sql`create trigger count_removed after delete on records begin ${count("-", "old")}; end`.execute(db);
};

const createTrigger: Columns["createTrigger"] = async (db, { name, table, event, when, run }) => {
  const head = `create trigger ${name} after ${event} on ${table} when ${when}`;
  await sql.raw(`${head} begin ${run}; end`).execute(db);
};

/** The connection that writes. It is replaced when it is not sound, except to a database in memory. */
class WriteConnection {
  readonly #path: string;
  readonly #onCommit: () => void;
  /** The first one, not configured yet. */
  #opened: Libsql.Database | undefined;
  #connection: SqliteConnection | undefined;
  #isClosed = false;

  constructor(path: string, opened: Libsql.Database, onCommit: () => void) {
    this.#path = path;
    this.#onCommit = onCommit;
    this.#opened = opened;
  }

  begin(): OpenTransaction {
    const connection = this.#findSound();
    connection.run("begin immediate");
    return {
      query: (sql, values, isSingle) => connection.query(sql, values, isSingle),
      executeQuery: (query) => connection.executeQuery(query),
      streamQuery: () => connection.streamQuery(),
      run: (sql) => connection.run(sql),
      commit: () => {
        connection.run("commit");
        this.#onCommit();
      },
      end: () => connection.rollBack(),
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#connection?.close();
    this.#opened?.close();
  }

  #findSound(): SqliteConnection {
    const isKept = this.#connection?.isSound || this.#isClosed || this.#path === ":memory:";
    if (this.#connection && isKept) return this.#connection;
    this.#connection?.close();
    const database = this.#opened ?? reopen(this.#path);
    this.#opened = undefined;
    // FULL is the default of SQLite. It is set explicitly because a reply of 200 promises that the change survives a
    // power cut.
    configure(database, ["journal_mode = wal", "synchronous = full", "foreign_keys = on", ...logSettings]);
    this.#connection = new SqliteConnection(database);
    return this.#connection;
  }
}

/** The `Checkpointer` copies the log; if it fails, a commit does, from 10,000 pages of 4 KiB on. */
const logSettings = ["wal_autocheckpoint = 10000", `journal_size_limit = ${largestLog}`] as const;

function openReader(path: string): Libsql.Database {
  const database = reopen(path);
  configure(database, ["query_only = on"]);
  return database;
}

function open(path: string): Libsql.Database {
  try {
    return new Libsql(path, { timeout: 0 });
  } catch (cause) {
    // libsql reports it as `ConnectionFailed("Unable to open connection to local database …: 14")`.
    throw new Error("its file can neither be opened nor made", { cause });
  }
}

/** Opens another connection. For a removed file SQLite would create an empty database. */
function reopen(path: string): Libsql.Database {
  if (path !== ":memory:" && !statSync(path, { throwIfNoEntry: false }))
    throw new Libsql.SqliteError(`${path} does not exist`, "SQLITE_CANTOPEN");
  return open(path);
}

function configure(database: Libsql.Database, settings: readonly string[]): void {
  try {
    for (const setting of settings) database.pragma(setting);
  } catch (error) {
    database.close();
    throw error;
  }
}

const failures: Record<string, string> = {
  FULL: "the disk is full",
  READONLY: "it is read-only",
  IOERR: "the disk reports an error",
  CANTOPEN: "its files cannot be opened",
  CORRUPT: "its file is damaged",
  NOTADB: "its file is not a database",
  BUSY: "it is locked by another process",
  LOCKED: "it is locked by another process",
  PERM: "permission denied",
};

const fixes: Record<string, Fix> = {
  CORRUPT: "Restore the last good backup.",
  NOTADB: advise`Move the file away, restore the last good backup, or name another folder with ${{ set: "data" }}.`,
  BUSY: "Run the command again when it has finished.",
  LOCKED: "Run the command again when it has finished.",
};

function isBusy(error: unknown): boolean {
  return family(error) === "BUSY" || family(error) === "LOCKED";
}

/** `SQLITE_IOERR_WRITE` is of the family `IOERR` (sqlite.org/rescode.html). */
function family(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code.startsWith("SQLITE_") ? (code.split("_")[1] ?? "") : "";
}
