import type { CompiledQuery, QueryResult } from "kysely";
import type Libsql from "libsql";
import type { StoreConnection } from "../language.ts";

/** Limits on prepared statements: those sent often, and the others, of which filters make new ones all the time. */
const mostPrepared = { often: 1000, others: 200 };

/** Errors after which a connection may refer to outdated files or pages. */
const damaging = /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN|PROTOCOL|READONLY)/;

/**
 * The same for a prepared statement: libsql 0.5 does not reset one that was busy, and then SQLite refuses every commit.
 */
const damagingPrepared = /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN|PROTOCOL|READONLY|BUSY|LOCKED)/;

/** A connection to SQLite. Preparing a statement costs as much as running it, so prepared ones are cached. */
export class SqliteConnection implements StoreConnection {
  readonly #database: Libsql.Database;
  readonly #often = new Map<string, Prepared>();
  readonly #others = new Map<string, Prepared>();
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
    if (this.#database.open) this.#database.close();
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

/** A prepared statement. It reads rows as lists, because libsql takes twice as long to make objects of them. */
class Prepared {
  readonly #database: Libsql.Database;
  readonly #sql: string;
  readonly #statement: Libsql.Statement;
  readonly #columns: readonly string[];
  readonly #objectOf: (row: unknown) => object;
  /** Whether it gives rows. */
  readonly isReader: boolean;
  #hasRun = false;
  /** Selects the same rows as one text. */
  #asText: Libsql.Statement | undefined;

  constructor(database: Libsql.Database, sql: string) {
    this.#database = database;
    this.#sql = sql;
    this.#statement = database.prepare(sql) as Libsql.Statement;
    this.isReader = this.#statement.reader;
    this.#columns = this.isReader ? this.#statement.columns().map(({ name }) => name) : [];
    this.#objectOf = objectMaker(this.#columns);
    if (this.isReader) this.#statement.raw();
  }

  rows(values: readonly unknown[], isSingle = false): object[] {
    if (!this.isReader) {
      this.run(values);
      return [];
    }
    if (!isSingle) return this.#all(storable(values)).map((row) => this.#objectOf(row));
    const row = this.#statement.get(storable(values));
    return row === undefined ? [] : [this.#objectOf(row)];
  }

  /**
   * All rows, from the second run on as a JSON text, because libsql takes more than twice as long for the values of the
   * same rows. The text is exact: all values are integers, texts or null, and an aggregate gets the rows of a subquery
   * in the order of the subquery.
   */
  #all(values: unknown[]): unknown[] {
    if (this.#hasRun && this.#asText === undefined && this.#isSelection()) {
      const row = this.#columns.map((name) => `"${name}"`).join(", ");
      const text = `select json_group_array(json_array(${row})) from (${this.#sql})`;
      this.#asText = (this.#database.prepare(text) as Libsql.Statement).raw();
    }
    this.#hasRun = true;
    if (this.#asText === undefined) return this.#statement.all(values);
    const [text] = this.#asText.get(values) as unknown as [string];
    return JSON.parse(text);
  }

  /** Whether the statement can be a subquery, with each column under its own name. */
  #isSelection(): boolean {
    return /^select/i.test(this.#sql) && new Set(this.#columns).size === this.#columns.length;
  }

  run(values: readonly unknown[]): Libsql.RunResult {
    return this.#statement.run(storable(values));
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

/** libsql 0.5 aborts the process on a boolean parameter. */
function storable(values: readonly unknown[]): unknown[] {
  return values.map((value) => (typeof value === "boolean" ? Number(value) : value));
}
