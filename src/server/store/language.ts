import {
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  DummyDriver,
  Kysely,
  type QueryCompiler,
  type SelectQueryNode,
} from "kysely";
import type { Database, Tables } from "./tables.ts";

/** The SQL of a database: makes query builders for connections, each for one piece of work. */
export class Language {
  readonly #dialect: Dialect;
  readonly #compiler: QueryCompiler;

  constructor(dialect: Omit<Dialect, "createDriver">) {
    this.#dialect = { ...dialect, createDriver: () => new DummyDriver() };
    this.#compiler = dialect.createQueryCompiler();
  }

  /** Runs work on a connection. A query that the work did not wait for, and that comes after its end, is refused. */
  async run<T>(connection: DatabaseConnection, work: (db: Database) => Promise<T>): Promise<T> {
    let isOver = false;
    const own: DatabaseConnection = {
      executeQuery: (query) => {
        if (isOver) throw new Error("a query after the end of its transaction");
        return connection.executeQuery(query);
      },
      streamQuery: (query, size) => connection.streamQuery(query, size),
    };
    const dialect = this.#dialect;
    const executor = new DefaultQueryExecutor(this.#compiler, dialect.createAdapter(), {
      provideConnection: (use) => use(own),
    });
    try {
      return await work(new Kysely<Tables>({ config: { dialect }, dialect, driver: dialect.createDriver(), executor }));
    } finally {
      isOver = true;
    }
  }
}

/** A query without `for update`, which is unnecessary in a read transaction, and in a database with one writer. */
export function withoutLocks({ endModifiers, ...rest }: SelectQueryNode): SelectQueryNode {
  return rest;
}
