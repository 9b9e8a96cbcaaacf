import type { DatabaseConnection, Driver } from "kysely";
import type Libsql from "libsql";
import { SqliteConnection } from "./sqlite-connection.ts";

interface PoolOptions {
  open(): Libsql.Database;
  /** The statement that begins a transaction. */
  readonly begin: "begin" | "begin immediate";
  readonly most: number;
  /** Whether another connection has the same data: false for a database in memory. */
  readonly isReplaceable: boolean;
  readonly onCommit?: () => void;
  readonly onDestroy?: () => Promise<void>;
}

interface Waiting {
  resolve(connection: SqliteConnection): void;
  reject(error: unknown): void;
}

/** Up to `most` connections to one SQLite database, opened on demand, each for one transaction at a time. */
export class SqlitePool implements Driver {
  readonly #options: PoolOptions;
  readonly #all = new Set<SqliteConnection>();
  readonly #free: SqliteConnection[] = [];
  readonly #waiting: Waiting[] = [];
  #isDestroyed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    const free = this.#free.pop();
    if (free) return free;
    if (this.#all.size < this.#options.most) return this.#connect();
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    own(connection).run(this.#options.begin);
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    own(connection).run("commit");
    this.#options.onCommit?.();
  }

  /** SQLite rolls back by itself after some errors; a second error must not hide the first. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    own(connection).rollBack();
  }

  /** A connection that is not sound never serves another transaction. */
  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const used = own(connection);
    used.rollBack();
    if (!used.isSound && this.#options.isReplaceable && !this.#isDestroyed) {
      this.#all.delete(used);
      used.close();
      this.#replace();
    } else this.#pass(used);
  }

  async destroy(): Promise<void> {
    await this.#options.onDestroy?.();
    this.#isDestroyed = true;
    for (const connection of this.#all) connection.close();
  }

  #pass(connection: SqliteConnection): void {
    const next = this.#waiting.shift();
    if (next) next.resolve(connection);
    else this.#free.push(connection);
  }

  #replace(): void {
    while (this.#waiting.length > 0 && this.#all.size < this.#options.most) {
      const next = this.#waiting.shift();
      try {
        next?.resolve(this.#connect());
      } catch (error) {
        next?.reject(error);
      }
    }
  }

  #connect(): SqliteConnection {
    const connection = new SqliteConnection(this.#options.open());
    this.#all.add(connection);
    return connection;
  }
}

/** Kysely passes back the connection of `acquireConnection`. */
function own(connection: DatabaseConnection): SqliteConnection {
  return connection as SqliteConnection;
}
