import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import type Libsql from "libsql";

/** Limit on prepared statements. Filters make new ones all the time; the others are a few dozen. */
const mostPrepared = 200;

/** Errors after which a connection may refer to outdated files or pages. */
const damaging = /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN|PROTOCOL|READONLY)/;

/**
 * The same for a prepared statement: libsql 0.5 does not reset one that was busy, and then SQLite refuses every commit.
 */
const damagingPrepared = /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN|PROTOCOL|READONLY|BUSY|LOCKED)/;

/** A connection to SQLite. Preparing a statement costs as much as running it, so prepared ones are cached. */
export class SqliteConnection implements DatabaseConnection {
  readonly #database: Libsql.Database;
  readonly #prepared = new Map<string, Libsql.Statement>();
  #isBroken = false;

  constructor(database: Libsql.Database) {
    this.#database = database;
  }

  /** Whether it can begin another transaction. */
  get isSound(): boolean {
    return !this.#isBroken && this.#database.open && !this.#database.inTransaction;
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
    if (!this.#database.open || !this.#database.inTransaction) return;
    try {
      this.run("rollback");
    } catch {
      this.#isBroken = true;
    }
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    // libsql 0.5 aborts the process on a boolean parameter.
    const values = parameters.map((value) => (typeof value === "boolean" ? Number(value) : value));
    return this.#watch(() => {
      const statement = this.#prepare(sql);
      if (statement.reader) return { rows: statement.all(values) as R[] };
      const { changes, lastInsertRowid } = statement.run(values);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    }, damagingPrepared);
  }

  // biome-ignore lint/correctness/useYield: nothing streams its rows.
  async *streamQuery<R>(): AsyncGenerator<QueryResult<R>> {
    throw new Error("rows are not streamed");
  }

  close(): void {
    this.#prepared.clear();
    if (this.#database.open) this.#database.close();
  }

  #prepare(sql: string): Libsql.Statement {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql) as Libsql.Statement;
    if (this.#prepared.size === mostPrepared) this.#prepared.clear();
    this.#prepared.set(sql, statement);
    return statement;
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
