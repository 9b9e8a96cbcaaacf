import { statSync } from "node:fs";
import { stat } from "node:fs/promises";
import {
  type CompiledQuery,
  type QueryResult,
  type SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import { advise, type Fix } from "../../../diagnostics/advice.ts";
import { ProblemError } from "../../../diagnostics/problem.ts";
import {
  cannotOpen,
  type Driver,
  nameFolder,
  type ReadWorkOptions,
  runAlone,
  type StoreOctets,
  type StoreVersion,
} from "../driver.ts";
import { GroupWriter, type OpenTransaction } from "../group-writer.ts";
import { Language, type StoreConnection, withoutLocks } from "../language.ts";
import type { Columns } from "../migrations.ts";
import { makePrivateFile } from "../private-file.ts";
import type { Database } from "../tables.ts";
import { Checkpointer, largestLog } from "./checkpointer.ts";
import type { SqliteDatabase, SqliteStatement } from "./database.ts";
import { explainAccess } from "./file-access.ts";
import { openDatabase } from "./libsql.ts";

/**
 * SQLite in a file, or in memory for `:memory:`. The file and its folder are created if missing. One connection writes;
 * in a file, others read beside it (WAL), so reads wait neither for a write nor for each other. No statement waits for
 * the lock of another process, which would block the event loop: it fails with SQLITE_BUSY, and the store tries again.
 */
export function sqlite(path: string): Driver {
  const isFile = path !== ":memory:";
  const opened = openFirst(path);
  const log = isFile ? new Checkpointer(path) : undefined;
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
    octets: (read) => (isFile ? octetsOfFiles(path) : octetsInMemory(read)),
    close: async () => {
      await log?.close();
      version.close();
      readers?.close();
      connection.close();
    },
    hasCollided: () => false,
    isBusy: (error) => isBusy(error),
    explain: (error) => {
      const isRefused = isFile && refusals.has(family(error));
      return (isRefused ? explainAccess(path) : undefined) ?? { fix: fixes[family(error)] ?? nameFolder };
    },
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

async function octetsOfFiles(path: string): Promise<StoreOctets> {
  const [database, log] = await Promise.all([path, `${path}-wal`].map(async (file) => (await stat(file)).size));
  return { database: database ?? 0, log: log ?? 0 };
}

function octetsInMemory(read: Driver["read"]): Promise<StoreOctets> {
  return read(
    async (db) => {
      const { rows } = await sql<{ octets: number }>`
      select page_count * page_size as octets from pragma_page_count, pragma_page_size`.execute(db);
      return { database: rows[0]?.octets ?? 0 };
    },
    { isSingle: true },
  );
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
    sql.raw(`when ${row}.alias_id is null
      begin update domains set records = records ${sign} 1 where id = ${row}.domain_id; end`);
  for (const name of ["count_added", "count_removed"]) await sql.raw(`drop trigger if exists ${name}`).execute(db);
  await sql`create trigger count_added after insert on records ${count("+", "new")}`.execute(db);
  await sql`create trigger count_removed after delete on records ${count("-", "old")}`.execute(db);
};

const createTrigger: Columns["createTrigger"] = async (db, { name, table, event, when, run }) => {
  const head = `create trigger ${name} after ${event} on ${table} when ${when}`;
  await sql.raw(`drop trigger if exists ${name}`).execute(db);
  await sql.raw(`${head} begin ${run}; end`).execute(db);
};

/** The connection that writes. It is replaced when it is not sound, except to a database in memory. */
class WriteConnection {
  readonly #path: string;
  readonly #onCommit: () => void;
  /** The first one, not configured yet. */
  #opened: SqliteDatabase | undefined;
  #connection: SqliteConnection | undefined;
  #isClosed = false;

  constructor(path: string, opened: SqliteDatabase, onCommit: () => void) {
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

function openReader(path: string): SqliteDatabase {
  const database = reopen(path);
  configure(database, ["query_only = on"]);
  return database;
}

function open(path: string): SqliteDatabase {
  try {
    return openDatabase(path, 0);
  } catch (cause) {
    const { code } = cause as { code?: string };
    throw Object.assign(new Error("its file can neither be opened nor made", { cause }), { code });
  }
}

/** @throws {ProblemError} `store-open`, `store-link` */
function openFirst(path: string): SqliteDatabase {
  if (path === ":memory:") return open(path);
  try {
    makePrivateFile(path);
    return open(path);
  } catch (error) {
    const explained = error instanceof ProblemError ? undefined : explainAccess(path);
    throw explained ? cannotOpen(path, explained) : error;
  }
}

/** Opens another connection. For a removed file SQLite would create an empty database. */
function reopen(path: string): SqliteDatabase {
  if (path !== ":memory:" && !statSync(path, { throwIfNoEntry: false }))
    throw Object.assign(new Error(`${path} does not exist`), { code: "SQLITE_CANTOPEN" });
  return open(path);
}

function configure(database: SqliteDatabase, settings: readonly string[]): void {
  try {
    for (const setting of settings) database.exec(`pragma ${setting}`);
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

/** Results that may come from what this user is allowed to do. */
const refusals: ReadonlySet<string> = new Set(["READONLY", "CANTOPEN", "PERM"]);

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

/** Limits on prepared statements: those sent often, and the others, of which filters make new ones all the time. */
const mostPrepared = { often: 1000, others: 200 };

/** Errors after which a connection may refer to outdated files or pages. */
const damaging = /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN|PROTOCOL|READONLY)/;

/**
 * Errors after which a prepared statement is unusable: libsql 0.5 does not reset one that was busy, and then SQLite
 * refuses every commit.
 */
const damagingPrepared = /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN|PROTOCOL|READONLY|BUSY|LOCKED)/;

/** A connection to SQLite. Preparing a statement costs as much as running it, so prepared ones are cached. */
export class SqliteConnection implements StoreConnection {
  readonly #database: SqliteDatabase;
  readonly #often = new Map<string, Prepared>();
  readonly #others = new Map<string, Prepared>();
  #isBroken = false;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Whether it can begin another transaction. */
  get isSound(): boolean {
    return !this.#isBroken && this.#database.isOpen && !this.#database.isTransaction;
  }

  /**
   * Runs `begin`, `savepoint`, `commit` and the like, unprepared, so that one that fails with SQLITE_BUSY leaves
   * nothing behind.
   */
  run(sql: string): void {
    this.#watch(() => this.#database.exec(sql), damaging);
  }

  /** libsql 0.5 aborts the process when asked for an open transaction after close. */
  rollBack(): void {
    if (!this.#database.isOpen || !this.#database.isTransaction) return;
    try {
      this.run("rollback");
    } catch {
      this.#isBroken = true;
    }
  }

  async query<R>(sql: string, values: readonly unknown[], isSingle: boolean): Promise<R[]> {
    return this.#watch(() => {
      const prepared = this.#prepare(sql, this.#often, mostPrepared.often);
      try {
        return prepared.rows(values, isSingle) as R[];
      } catch (error) {
        // libsql 0.5 does not reset a statement that failed with its first row: it would fail again.
        this.#often.delete(sql);
        throw error;
      }
    }, damagingPrepared);
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return this.#watch(() => {
      const prepared = this.#prepare(sql, this.#others, mostPrepared.others);
      if (prepared.isReader) return { rows: prepared.rows(parameters) as R[] };
      const { changes, lastInsertRowid } = prepared.run(parameters);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    }, damagingPrepared);
  }

  // biome-ignore lint/correctness/useYield: nothing streams its rows.
  async *streamQuery<R>(): AsyncGenerator<QueryResult<R>> {
    throw new Error("rows are not streamed");
  }

  close(): void {
    this.#often.clear();
    this.#others.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  #prepare(sql: string, statements: Map<string, Prepared>, most: number): Prepared {
    const known = statements.get(sql);
    if (known) return known;
    const prepared = new Prepared(this.#database, sql);
    if (statements.size === most) statements.clear();
    statements.set(sql, prepared);
    return prepared;
  }

  #watch<T>(work: () => T, breaks: RegExp): T {
    try {
      return work();
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (breaks.test(code)) this.#isBroken = true;
      throw error;
    }
  }
}

/** A prepared statement whose rows are objects. */
class Prepared {
  readonly #database: SqliteDatabase;
  readonly #sql: string;
  readonly #statement: SqliteStatement;
  readonly #objectOf: (row: unknown) => object;
  /** Whether it gives rows. */
  readonly isReader: boolean;
  #hasRun = false;
  /** Selects the same rows as one text. */
  #asText: SqliteStatement | undefined;

  constructor(database: SqliteDatabase, sql: string) {
    this.#database = database;
    this.#sql = sql;
    this.#statement = database.prepare(sql);
    const { columns } = this.#statement;
    this.isReader = columns.length > 0;
    this.#objectOf = objectMaker(columns);
  }

  rows(values: readonly unknown[], isSingle = false): object[] {
    if (!this.isReader) {
      this.run(values);
      return [];
    }
    if (!isSingle) return this.#all(values).map((row) => this.#objectOf(row));
    const row = this.#statement.get(values);
    return row === undefined ? [] : [this.#objectOf(row)];
  }

  /**
   * All rows, from the second run on as a JSON text, because libsql takes more than twice as long for the values of the
   * same rows. The text is exact: all values are integers, texts or null, and an aggregate gets the rows of a subquery
   * in the order of the subquery.
   */
  #all(values: readonly unknown[]): unknown[] {
    if (this.#hasRun && this.#asText === undefined && this.#isSelection()) {
      const row = this.#statement.columns.map((name) => `"${name}"`).join(", ");
      const text = `select json_group_array(json_array(${row})) from (${this.#sql})`;
      this.#asText = this.#database.prepare(text);
    }
    this.#hasRun = true;
    if (this.#asText === undefined) return this.#statement.all(values);
    const [text] = this.#asText.get(values) as [string];
    return JSON.parse(text);
  }

  /** Whether the statement can be a subquery, with each column under its own name. */
  #isSelection(): boolean {
    return /^select/i.test(this.#sql) && new Set(this.#statement.columns).size === this.#statement.columns.length;
  }

  run(values: readonly unknown[]) {
    return this.#statement.run(values);
  }
}

/**
 * Makes objects of rows by a literal with the names of the columns: an object whose keys are added one by one takes ten
 * times as long, and one of more than a dozen becomes a hash table.
 */
function objectMaker(columns: readonly string[]): (row: unknown) => object {
  const entries = columns.map((name, index) => `${JSON.stringify(name)}: row[${index}]`);
  return new Function("row", `return { ${entries.join(", ")} };`) as (row: unknown) => object;
}

interface Source {
  /** The connection to ask. */
  open(): SqliteDatabase;
  /** A statement whose only value is the version. */
  readonly query: string;
}

/**
 * Reads the version of a SQLite database: of a file `pragma data_version` of a connection that never writes, which
 * differs after each commit of another connection, and costs two system calls.
 */
export class SqliteVersion {
  readonly #source: Source;
  #database: SqliteDatabase | undefined;
  #statement: SqliteStatement | undefined;
  #connections = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  /** Undefined if the database cannot be read: nothing is known to be current then. */
  read(): StoreVersion | undefined {
    try {
      this.#database ??= this.#open();
      this.#statement ??= this.#database.prepare(this.#source.query);
      const [version] = this.#statement.get([]) as [number];
      return this.#connections * 2 ** 32 + version;
    } catch {
      this.close();
      return undefined;
    }
  }

  /** Each connection counts from the same number: the versions of two of them say nothing about each other. */
  #open(): SqliteDatabase {
    const database = this.#source.open();
    this.#connections++;
    return database;
  }

  close(): void {
    this.#statement = undefined;
    if (this.#database?.isOpen) this.#database.close();
    this.#database = undefined;
  }
}

interface Waiting {
  resolve(connection: SqliteConnection): void;
  reject(error: unknown): void;
}

/** Limit on the connections: reads that pause between steps keep theirs; all others end within one turn. */
const most = 16;

/** Read transactions on connections of their own, opened on demand. */
class SqliteReaders {
  readonly #open: () => SqliteDatabase;
  readonly #language: Language;
  readonly #all = new Set<SqliteConnection>();
  readonly #free: SqliteConnection[] = [];
  readonly #waiting: Waiting[] = [];
  #isClosed = false;

  constructor(open: () => SqliteDatabase, language: Language) {
    this.#open = open;
    this.#language = language;
  }

  async read<T>(work: (db: Database) => Promise<T>, options: ReadWorkOptions = {}): Promise<T> {
    const connection = this.#free.pop() ?? (await this.#acquire());
    try {
      if (options.isSingle) return await this.#language.run(connection, work, options);
      connection.run("begin");
      const result = await this.#language.run(connection, work, options);
      connection.run("commit");
      return result;
    } finally {
      this.#release(connection);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#all) connection.close();
  }

  async #acquire(): Promise<SqliteConnection> {
    if (this.#all.size < most) return this.#connect();
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** A connection that is not sound never serves another transaction. */
  #release(connection: SqliteConnection): void {
    connection.rollBack();
    if (connection.isSound || this.#isClosed) {
      const next = this.#waiting.shift();
      if (next) next.resolve(connection);
      else this.#free.push(connection);
      return;
    }
    this.#all.delete(connection);
    connection.close();
    while (this.#waiting.length > 0 && this.#all.size < most) {
      const next = this.#waiting.shift();
      try {
        next?.resolve(this.#connect());
      } catch (error) {
        next?.reject(error);
      }
    }
  }

  #connect(): SqliteConnection {
    const connection = new SqliteConnection(this.#open());
    this.#all.add(connection);
    return connection;
  }
}
