import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type DialectAdapter,
  DummyDriver,
  Kysely,
  type QueryCompiler,
  type QueryResult,
  type SelectQueryNode,
} from "kysely";
import type { Database, Tables } from "./tables.ts";

/** A connection to a database. */
export interface StoreConnection extends DatabaseConnection {
  /** Sends a statement that is sent often. Of one `isSingle`, only the first row is read. */
  query<R>(sql: string, values: readonly unknown[], isSingle: boolean): Promise<R[]>;
}

export interface WorkLimits {
  /**
   * Short work ends with `LongWork` if it turns out to take long, or waits for a lock. Patient work waits for it apart.
   * Long work waits where it is, because whoever sends it limits its number.
   */
  readonly pace?: "short" | "patient" | "long";
  /** Once it is aborted, the work begins no further statement and fails with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The SQL of a database: makes query builders for connections, each for one piece of work. */
export class Language {
  readonly #config: { dialect: Dialect };
  readonly #driver = new DummyDriver();
  readonly #compiler: QueryCompiler;
  readonly #adapter: DialectAdapter;

  constructor(dialect: Omit<Dialect, "createDriver">) {
    this.#config = { dialect: { ...dialect, createDriver: () => this.#driver } };
    this.#compiler = dialect.createQueryCompiler();
    this.#adapter = dialect.createAdapter();
  }

  /**
   * Runs work on a connection. A query that the work did not wait for, and that comes after its end, is refused.
   */
  async run<T>(connection: StoreConnection, work: (db: Database) => Promise<T>, limits: WorkLimits = {}): Promise<T> {
    const own = new OwnConnection(connection, limits);
    const executor = new Executor(this.#compiler, this.#adapter, own, this);
    try {
      return await work(this.#builderFor(executor));
    } finally {
      own.isOver = true;
    }
  }

  /** Runs a part of other work within limits of its own. */
  runPart<T>(db: Database, work: (db: Database) => Promise<T>, limits: WorkLimits): Promise<T> {
    return this.run((db.getExecutor() as Executor).connection, work, limits);
  }

  /**
   * A query builder, which is made when a query is built: to make one takes a tenth of the time of a request that reads
   * a record, and a compiled `statement` needs only the executor.
   */
  #builderFor(executor: Executor): Database {
    let made: Database | undefined;
    const make = (): Database => {
      const { dialect } = this.#config;
      return new Kysely<Tables>({ config: this.#config, dialect, driver: this.#driver, executor });
    };
    const getExecutor = () => executor;
    return new Proxy({} as Database, {
      get: (_, name) => {
        if (name === "getExecutor") return getExecutor;
        made ??= make();
        const value = Reflect.get(made, name);
        return typeof value === "function" ? value.bind(made) : value;
      },
    });
  }
}

/** The connection of one piece of work, which refuses queries after its end, and once its signal is aborted. */
class OwnConnection implements StoreConnection {
  readonly #connection: StoreConnection;
  readonly #signal: AbortSignal | undefined;
  readonly isShort: boolean;
  isOver = false;

  constructor(connection: StoreConnection, { pace, signal }: WorkLimits) {
    this.#connection = connection;
    this.#signal = signal;
    this.isShort = pace === "short";
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#check();
    return this.#connection.executeQuery(query);
  }

  query<R>(sql: string, values: readonly unknown[], isSingle: boolean): Promise<R[]> {
    this.#check();
    return this.#connection.query(sql, values, isSingle);
  }

  // biome-ignore lint/correctness/useYield: nothing streams its rows.
  async *streamQuery<R>(): AsyncGenerator<QueryResult<R>> {
    throw new Error("rows are not streamed");
  }

  #check(): void {
    if (this.isOver) throw new Error("a query after the end of its transaction");
    if (this.#signal?.aborted) throw this.#signal.reason;
  }
}

/** Runs the queries of a query builder; `statement` finds its connection and its language here. */
export class Executor extends DefaultQueryExecutor {
  readonly connection: OwnConnection;
  readonly language: Language;

  constructor(compiler: QueryCompiler, adapter: DialectAdapter, connection: OwnConnection, language: Language) {
    super(compiler, adapter, { provideConnection: (use) => use(connection) });
    this.connection = connection;
    this.language = language;
  }
}

/** A query without `for update`, which is unnecessary in a read transaction, and in a database with one writer. */
export function withoutLocks({ endModifiers, ...rest }: SelectQueryNode): SelectQueryNode {
  return rest;
}
