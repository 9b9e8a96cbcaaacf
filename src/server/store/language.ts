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

/** A query with its values, which the query builder makes. */
interface Query<R> {
  compile(): Pick<CompiledQuery, "sql" | "parameters">;
  execute(): Promise<R[]>;
}

interface Statement<V extends readonly unknown[], R> {
  all(db: Database, ...values: V): Promise<R[]>;
  first(db: Database, ...values: V): Promise<R | undefined>;
  /** @throws {Error} if there is no row. */
  only(db: Database, ...values: V): Promise<R>;
}

/**
 * A query that is built and compiled once, because that takes longer than running it, and then runs with other values.
 * `build` must do no more with its values than to place them in the query: they are placeholders. A value may also be a
 * list, or a row with columns; for each of their lengths and sets of columns the query is built again.
 */
export function statement<V extends readonly unknown[], R>(
  build: (db: Database, ...values: V) => Query<R>,
): Statement<V, R> {
  const templates = new Map<Language, Map<string, Template>>();

  const send = (db: Database, values: V, isSingle: boolean): Promise<R[]> => {
    const executor = db.getExecutor();
    // One with plugins, which may change each query.
    if (!(executor instanceof Executor)) return build(db, ...values).execute();
    const { connection, language } = executor;
    const known = templates.get(language) ?? new Map<string, Template>();
    templates.set(language, known);
    const shape = shapeOf(values);
    const template = known.get(shape) ?? build(db, ...(placeholdersFor(values) as unknown as V)).compile();
    if (known.size === mostTemplates && !known.has(shape)) known.clear();
    known.set(shape, template);
    return connection.query(template.sql, fill(template, values), isSingle);
  };

  return {
    all: (db, ...values) => send(db, values, false),
    first: async (db, ...values) => (await send(db, values, true))[0],
    only: async (db, ...values) => {
      const [row] = await send(db, values, true);
      if (row === undefined) throw new Error("a statement without its row");
      return row;
    },
  };
}

/** Limit on the shapes of the values of one statement. */
const mostTemplates = 100;

/** Compiled SQL, whose parameters are placeholders, or values that never change. */
type Template = Pick<CompiledQuery, "sql" | "parameters">;

/** Stands for a value, or for an entry of it. */
class Placeholder {
  readonly index: number;
  readonly key: string | number | undefined;

  constructor(index: number, key?: string | number) {
    this.index = index;
    this.key = key;
  }

  valueIn(values: readonly unknown[]): unknown {
    const value = values[this.index];
    return this.key === undefined ? value : (value as Record<string | number, unknown>)[this.key];
  }
}

/** The lengths of lists and the columns of rows. A column that is undefined is not part of its row. */
function shapeOf(values: readonly unknown[]): string {
  let shape = "";
  for (const value of values) {
    if (typeof value !== "object" || value === null) continue;
    shape += Array.isArray(value) ? `${value.length};` : `${columnsOf(value).join()};`;
  }
  return shape;
}

function placeholdersFor(values: readonly unknown[]): unknown[] {
  return values.map((value, index) => {
    if (typeof value !== "object" || value === null) return new Placeholder(index);
    if (Array.isArray(value)) return value.map((_, key) => new Placeholder(index, key));
    return Object.fromEntries(columnsOf(value).map((key) => [key, new Placeholder(index, key)]));
  });
}

function columnsOf(row: object): string[] {
  const names = Object.keys(row);
  return Object.values(row).includes(undefined) ? names.filter((name) => Reflect.get(row, name) !== undefined) : names;
}

function fill({ parameters }: Template, values: readonly unknown[]): unknown[] {
  return parameters.map((parameter) => (parameter instanceof Placeholder ? parameter.valueIn(values) : parameter));
}

/** The lengths of lists in statements. */
const lengths = [1, 4, 16, 64, 256, 512] as const;

/**
 * A list whose last entry is repeated up to the next of a few lengths, so that lists of changing length make few
 * statements. For up to 512 entries, of which some may be equal.
 */
export function padList<T>(list: readonly T[]): readonly T[] {
  const length = lengths.find((length) => length >= list.length) ?? list.length;
  const last = list.at(-1);
  return last === undefined ? list : [...list, ...Array.from({ length: length - list.length }, () => last)];
}

/** The lengths of parts of lists. */
const partLengths = [64, 16, 4, 1] as const;

/** Parts of a list that have few different lengths. */
export function* splitByLength<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < list.length; ) {
    const length = partLengths.find((length) => length <= list.length - at) ?? 1;
    yield list.slice(at, at + length);
    at += length;
  }
}

/** Whether databases can store a text and search for it: one without a NUL and without half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}
