import { once } from "node:events";
import {
  type CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type SelectQueryNode,
  sql,
} from "kysely";
import pg from "pg";
import { cannotOpen, type Driver, type ReadWorkOptions, runAlone, type StoreReason } from "../driver.ts";
import { GroupWriter, GroupWriters, type OpenTransaction } from "../group-writer.ts";
import { inTime } from "../in-time.ts";
import { Language, withoutLocks } from "../language.ts";
import { LongWork } from "../long-work.ts";
import type { Columns } from "../migrations.ts";
import type { Database } from "../tables.ts";
import { PostgresState, type State } from "./state.ts";

/**
 * Time that a request waits for a lock, for a connection, and for a statement, in milliseconds. PostgreSQL ends a
 * statement itself; a connection that stays silent for longer is dead, and would else be given up after a quarter of an
 * hour. `close` is how long a store that is closed waits for the statements under way.
 */
const timeoutsMs = { lock: 5000, connection: 20_000, statement: 30_000, silence: 35_000, close: 2000 };

/** Removes the limit from the statements of a transaction. */
const withoutTimeout = "set local statement_timeout = 0";

/**
 * Time that short work waits for a lock, in milliseconds. Then it begins again on a patient connection, so that however
 * much work waits, the others stay free. Only a lock of a whole table blocks reads; writes often wait for each other.
 */
const impatienceMs = { read: 10, write: 50 };

/**
 * Limits on the connections to the database, on those for short reads, and on the patient ones beside them. One more
 * reads the state of the database.
 */
const connections = { all: 10, shortReads: 6, patient: 2 };

/** Limit on the writes with one commit: with more savepoints, every other transaction takes longer to find its rows. */
const mostInGroup = 64;

/** Limit on the items of a batch with one commit; batches need no savepoints. */
const mostInBatch = 256;

/** PostgreSQL, Appendix A: lock_not_available, too_many_connections. */
const [lockTimeout, tooManyConnections] = ["55P03", "53300"];

/**
 * The two halves of the advisory lock of transactions that exclude others, such as a migration: "zone" and "migr" in
 * ASCII.
 */
const exclusiveLock = [0x7a6f6e65, 0x6d696772] as const;

/**
 * PostgreSQL behind a `postgres://` URL: the one file that knows PostgreSQL. Writes run at READ COMMITTED and lock the
 * row of their domain first, so writes to one domain come one after another, and each sees what the one before has
 * done. SERIALIZABLE was weighed: it needs no lock, but what a domain holds is counted and searched with every write,
 * so that all but one of many writes to one domain would be undone and run again, over and over. Between domains unique
 * indexes decide.
 * @throws {ProblemError} `store-open` if the URL is invalid; the URL is not quoted.
 */
export function postgres(url: string): Driver {
  const place = placeOf(url);
  const clients = new Set<pg.Client>();
  const pool = openPool(url, clients, {
    max: connections.all,
    lockMs: impatienceMs.read,
    connectionMs: timeoutsMs.connection,
  });
  const patientPool = openPool(url, clients, {
    max: connections.patient,
    lockMs: timeoutsMs.lock,
    connectionMs: timeoutsMs.lock,
  });
  const state = new PostgresState({ connectionString: url, application_name: "zonewright state" });
  const kindsOf = (language: Language, begin: string, shortBegin: string): Kinds => ({
    short: { language, pool, begin: shortBegin },
    patient: { language, pool: patientPool, begin },
    long: { language, pool, begin: `${begin}; ${waitForLocks(timeoutsMs.lock)}` },
  });
  const beginRead = "begin isolation level repeatable read read only";
  const reads = kindsOf(reading, beginRead, beginRead);
  const writes = kindsOf(writing, "begin", `begin; ${waitForLocks(impatienceMs.write)}`);
  const grouping = {
    language: writing,
    gather: async () => {},
    isFailure: (error: unknown) => error instanceof Error && isBroken(error),
    isBlocked,
    mayHaveCommitted: (error: unknown) => !(error instanceof pg.DatabaseError) || isBroken(error),
  };
  const writersOf = (kind: Kind) =>
    new GroupWriters({ ...grouping, mostInGroup, begin: () => Transaction.begin(kind) });
  const [writers, patientWriters] = [writersOf(writes.short), writersOf(writes.patient)];
  const batches = new GroupWriter({
    ...grouping,
    mostInGroup: mostInBatch,
    begin: () => Transaction.begin(writes.short),
  });
  return {
    place,
    mostShortReads: connections.shortReads,
    read: (work, options = {}) => {
      const read = (kind: Kind) => (options.isSingle ? ask : transact)(kind, work, options);
      if (options.pace === undefined) return runShort(reads, read);
      return read(reads[options.pace]).catch((error) => {
        throw options.pace === "short" && isBlocked(error) ? new LongWork("patient") : error;
      });
    },
    write: async (work, { locks, isLong = false, signal, batch } = {}) => {
      const write = (kind: Kind) => transact(kind, work, {}, signal);
      if (isLong) return write(writes.long);
      if (locks === undefined) return runShort(writes, write);
      const result = batch ? await batches.writeBatch(batch, signal) : runAlone;
      if (result !== runAlone) return result;
      return runShort(writes, (kind) =>
        (kind === writes.short ? writers : patientWriters).write(locks, work, { signal }),
      );
    },
    version: (read) =>
      state.readVersion((query) =>
        read(async (db) => (await sql.raw<State>(query).execute(db)).rows[0] as State, { isSingle: true }),
      ),
    // Another server may have committed a moment ago, and only a query would tell.
    knownVersion: () => Symbol(),
    octets: (read) =>
      read(
        async (db) => {
          const { rows } = await sql<{ octets: string }>`
          select pg_database_size(current_database())::text as octets`.execute(db);
          return { database: Number(rows[0]?.octets) };
        },
        { isSingle: true },
      ),
    now: () => state.now(),
    close: async () => {
      state.close();
      // A pool does not wait until its idle connections have ended: those of a silent server would stay.
      const ends = [...clients].map((client) => once(client, "end"));
      await inTime(Promise.all([pool.end(), patientPool.end(), ...ends]), timeoutsMs.close, undefined);
      for (const client of clients) disconnect(client);
    },
    columns: {
      id: ["bigint", (column) => column.primaryKey().generatedAlwaysAsIdentity()],
      // Names are compared and ordered by their octets, whatever the locale of the database.
      text: sql`text collate "C"`,
      countRecords,
      createTrigger: async (db, { name, table, event, when, run }) => {
        const body = `begin if ${when} then ${run}; end if; return null; end`;
        await sql.raw(`drop trigger if exists ${name} on ${table}`).execute(db);
        await sql
          .raw(`create or replace function ${name}() returns trigger language plpgsql as $$ ${body} $$`)
          .execute(db);
        const each = `for each row execute function ${name}()`;
        await sql.raw(`create trigger ${name} after ${event} on ${table} ${each}`).execute(db);
      },
    },
    excludeOthers: async (db) => {
      // A migration of a large table may take long, here or in another server.
      await sql.raw(withoutTimeout).execute(db);
      await sql`set local lock_timeout = 0`.execute(db);
      await sql`select pg_advisory_xact_lock(${sql.lit(exclusiveLock[0])}, ${sql.lit(exclusiveLock[1])})`.execute(db);
    },
    isBusy: (error) => codeOf(error) === tooManyConnections,
    hasCollided: (error) => collisions.has(codeOf(error)) || forgetOutdated(error),
    failure: failureOf,
    explain,
  };
}

/** The transactions of a kind: where they run, and the statement that begins one. */
interface Kind {
  readonly language: Language;
  readonly pool: pg.Pool;
  readonly begin: string;
}

/** Short work is `patient` once it has met a lock. Long work is limited itself, so it waits where it is. */
interface Kinds {
  readonly short: Kind;
  readonly patient: Kind;
  readonly long: Kind;
}

interface PoolOptions {
  readonly max: number;
  /** Limits on the time to wait for a lock and for a connection, in milliseconds. */
  readonly lockMs: number;
  readonly connectionMs: number;
}

/** `clients` has the connections of the pool from their opening to their end. */
function openPool(url: string, clients: Set<pg.Client>, { max, lockMs, connectionMs }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    Client: class extends pg.Client {
      constructor(config?: pg.ClientConfig) {
        super(config);
        clients.add(this);
        this.once("end", () => clients.delete(this));
      }
    },
    connectionString: url,
    max,
    connectionTimeoutMillis: connectionMs,
    application_name: "zonewright",
    types: { getTypeParser },
    onConnect: async (client) => {
      // Without a listener, a connection that breaks between two queries ends the process; the next query reports it.
      client.on("error", () => {});
      await client.query(`set lock_timeout = ${lockMs}; set statement_timeout = ${timeoutsMs.statement}`);
    },
  });
  // An idle connection that breaks: the next request gets another one, or reports the failure.
  return pool.on("error", () => {});
}

function waitForLocks(ms: number): string {
  return `set local lock_timeout = ${ms}`;
}

async function runShort<T>({ short, patient }: Kinds, run: (kind: Kind) => Promise<T>): Promise<T> {
  try {
    return await run(short);
  } catch (error) {
    if (!isBlocked(error)) throw error;
    return run(patient);
  }
}

/** Runs work in a transaction, unless the signal is aborted before it begins. */
async function transact<T>(
  kind: Kind,
  work: (db: Database) => Promise<T>,
  limits: ReadWorkOptions,
  signal = limits.signal,
): Promise<T> {
  const transaction = await Transaction.begin(kind, signal);
  try {
    const result = await kind.language.run(transaction, work, limits);
    await transaction.commit();
    return result;
  } finally {
    await transaction.end();
  }
}

/** Runs work that is a single statement. */
async function ask<T>(
  { pool, language }: Kind,
  work: (db: Database) => Promise<T>,
  limits: ReadWorkOptions,
): Promise<T> {
  // As in `Transaction.begin`, all idle connections may be broken.
  for (let left = pool.options.max; ; left--) {
    const connection = await Transaction.withoutBegin(pool);
    try {
      return await language.run(connection, work, limits);
    } catch (error) {
      if (!connection.isBroken || left === 0) throw error;
    } finally {
      await connection.end();
    }
  }
}

function placeOf(text: string): string {
  if (!URL.canParse(text)) {
    const reason = "it is not of the form postgres://user:password@host:port/database";
    throw cannotOpen("of DATABASE_URL", { reason, fix });
  }
  const { protocol, username, host, pathname } = new URL(text);
  return `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}`;
}

/** Connections of one server: those of both pools, and one that reads the state of the database. */
const connectionsOfServer = connections.all + connections.patient + 1;

/** Limits that refuse a connection, by the function of PostgreSQL that says so: its texts depend on its language. */
const limits: Readonly<Record<string, { readonly of: string; readonly fix: string }>> = {
  InitializeSessionUserId: {
    of: "its user",
    fix: `Allow the user more (ALTER ROLE name CONNECTION LIMIT number)`,
  },
  CheckMyDatabase: {
    of: "the database",
    fix: `Allow the database more (ALTER DATABASE name CONNECTION LIMIT number)`,
  },
};

function explain(error: unknown): StoreReason {
  const code = codeOf(error);
  if (code !== tooManyConnections) return { fix: fixes[code] ?? fix };
  const { routine = "" } = error as { routine?: string };
  const limit = limits[routine] ?? { of: "PostgreSQL", fix: "Raise max_connections of PostgreSQL" };
  return {
    reason: `${limit.of} has as many connections as its limit allows`,
    fix: `${limit.fix}, or end other programs that are connected. A server of zonewright has up to ${connectionsOfServer}.`,
  };
}

/** By error code of PostgreSQL. */
const fixes: Readonly<Record<string, string>> = {
  "25006":
    "Name the primary server of PostgreSQL in the URL: a standby cannot be written. On a primary, set default_transaction_read_only to off.",
  "42501": "Name the user in the URL who owns the database and its tables: it has to create and change tables.",
  "3D000": "Create the database (CREATE DATABASE), or check its name in the URL.",
};

const fix = "Start PostgreSQL, and check the user, password and database in the URL.";

/** Ids are far below the limit of exact JavaScript numbers; by default `pg` returns them as text. */
function getTypeParser(oid: number, format?: "text" | "binary") {
  return oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format);
}

/**
 * A transaction on a connection of the pool. The database may have ended that connection since its last use (a restart,
 * an idle timeout, a firewall); often only the first statement, which begins the transaction, reveals that. Nothing was
 * done then, so another connection takes over; a broken one does not return to the pool.
 */
class Transaction implements OpenTransaction {
  readonly #client: pg.PoolClient;
  #isOpen = true;
  #hasTimeout = true;
  #broken: Error | undefined;

  /** @throws the reason of the signal if it is aborted before there is a connection */
  static async begin({ pool, begin }: Kind, signal?: AbortSignal): Promise<Transaction> {
    // All idle connections may be broken; the next one is new.
    for (let left = pool.options.max; ; left--) {
      const client = await pool.connect();
      if (signal?.aborted) client.release();
      signal?.throwIfAborted();
      const transaction = new Transaction(client);
      try {
        await transaction.run(begin);
        return transaction;
      } catch (error) {
        const isLast = transaction.#broken === undefined || left === 0;
        await transaction.end();
        if (isLast) throw error;
      }
    }
  }

  /** A connection on which each statement is a transaction of its own. */
  static async withoutBegin(pool: pg.Pool): Promise<Transaction> {
    const transaction = new Transaction(await pool.connect());
    transaction.#isOpen = false;
    return transaction;
  }

  private constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  get isBroken(): boolean {
    return this.#broken !== undefined;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (sql === withoutTimeout) this.#hasTimeout = false;
    const { rows, rowCount } = await this.#watch(() => this.#client.query(sql, [...parameters]));
    return { rows, ...(rowCount !== null && { numAffectedRows: BigInt(rowCount) }) };
  }

  async query<R>(sql: string, values: readonly unknown[]): Promise<R[]> {
    return (await this.#watch(() => this.#client.query({ name: nameOf(sql), text: sql, values: [...values] }))).rows;
  }

  // biome-ignore lint/correctness/useYield: nothing streams its rows.
  async *streamQuery<R>(): AsyncGenerator<QueryResult<R>> {
    throw new Error("rows are not streamed");
  }

  async run(sql: string): Promise<void> {
    await this.#watch(() => this.#client.query(sql));
  }

  async commit(): Promise<void> {
    await this.run("commit");
    this.#isOpen = false;
  }

  /** A broken connection has ended its transaction; a second error must not hide the reason. */
  async end(): Promise<void> {
    if (this.#isOpen && this.#broken === undefined) await this.run("rollback").catch(() => {});
    this.#client.release(this.#broken);
  }

  async #watch<T>(query: () => Promise<T>): Promise<T> {
    const timer = this.#hasTimeout ? setTimeout(disconnect, timeoutsMs.silence, this.#client) : undefined;
    try {
      return await query();
    } catch (error) {
      if (error instanceof Error && isBroken(error)) this.#broken = error;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Names of statements, by their text: each connection prepares a named one once. */
const names = new Map<string, string>();
let named = 0;

/** Limit on the names, because each connection keeps its prepared statements. Further texts stay without a name. */
const mostNamed = 1000;

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size === mostNamed) return known;
  const name = `zonewright_${named++}`;
  names.set(text, name);
  return name;
}

/**
 * Forgets the names if a prepared statement has other columns than before, because another server has migrated the
 * database. Run again, statements get other names, and are prepared again.
 */
function forgetOutdated(error: unknown): boolean {
  const isOutdated = codeOf(error) === "0A000" && error instanceof Error && /cached plan/.test(error.message);
  if (isOutdated) names.clear();
  return isOutdated;
}

const dialect = {
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db: Database) => new PostgresIntrospector(db),
};
const writing = new Language({ ...dialect, createQueryCompiler: () => new PostgresQueryCompiler() });
const reading = new Language({
  ...dialect,
  createQueryCompiler: () =>
    new (class extends PostgresQueryCompiler {
      protected override visitSelectQuery(node: SelectQueryNode): void {
        super.visitSelectQuery(withoutLocks(node));
      }
    })(),
});

/** Triggers of statements, as those of rows would make a version of the domain's row for each record of an import. */
const countRecords: Columns["countRecords"] = async (db) => {
  await sql`
    create or replace function count_records() returns trigger language plpgsql as $$
    begin
      update domains set records = records + case tg_op when 'INSERT' then number else -number end
      from (select domain_id, count(*) as number from changed where alias_id is null group by domain_id) as counted
      where id = domain_id;
      return null;
    end $$`.execute(db);
  const create = async (name: string, event: string, rows: string) => {
    await sql`drop trigger if exists ${sql.ref(name)} on records`.execute(db);
    await sql`create trigger ${sql.ref(name)} after ${sql.raw(event)} on records referencing ${sql.raw(rows)} table as changed
      for each statement execute function count_records()`.execute(db);
  };
  await create("count_added", "insert", "new");
  await create("count_removed", "delete", "old");
};

/** Ends a connection at once. The statement under way fails. */
function disconnect(client: pg.Client | pg.PoolClient): void {
  (client as pg.Client & pg.PoolClient).connection.stream.destroy();
}

/** PostgreSQL, Appendix A: unique_violation, serialization_failure, deadlock_detected. */
const collisions: ReadonlySet<string> = new Set(["23505", "40001", "40P01"]);

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function isBlocked(error: unknown): boolean {
  return codeOf(error) === lockTimeout;
}

function failureOf(error: unknown): string | undefined {
  const code = codeOf(error);
  const known = failures[code] ?? failures[code.slice(0, 2)];
  if (known !== undefined || !(error instanceof Error)) return known;
  if (/^timeout exceeded/.test(error.message)) return "no connection became free in time";
  if ("severity" in error && error.severity === "FATAL") return "it refuses connections";
  return /^(Connection terminated|Client has|Client was|Cannot use a pool)/.test(error.message) ? broken : undefined;
}

const broken = "the connection to it broke";

/** Whether the connection is lost; PostgreSQL's class 57P is an intervention by its operator. */
function isBroken(error: Error): boolean {
  return codeOf(error).startsWith("57P") || failureOf(error) === broken;
}

/** By error code of Node, error code of PostgreSQL, or its class (PostgreSQL, Appendix A). */
const failures: Record<string, string> = {
  ECONNREFUSED: "no server is listening there",
  ENOTFOUND: "its host name does not resolve",
  EAI_AGAIN: "its host name cannot be resolved at the moment",
  ETIMEDOUT: "its host does not answer",
  EHOSTUNREACH: "its host cannot be reached",
  ENETUNREACH: "its host cannot be reached",
  ENOENT: "no server is listening there",
  EACCES: "this user may not use its socket",
  ECONNRESET: broken,
  EPIPE: broken,
  "08": broken,
  "28": "the user and the password are not accepted",
  "53": "it is out of resources",
  "53100": "the disk is full",
  [tooManyConnections]: "it has too many connections",
  [lockTimeout]: "another transaction locks the row or the table",
  "25006": "it is read-only",
  "42501": "its user lacks the privilege for it",
  "3D000": "the database does not exist",
  "57": "it is shutting down or starting",
  "57014": "it took too long",
  "58": "the disk reports an error",
  XX: "it reports an internal error",
};
