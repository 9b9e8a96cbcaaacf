import type Libsql from "libsql";
import type { ReadWorkOptions } from "../driver.ts";
import type { Language } from "../language.ts";
import type { Database } from "../tables.ts";
import { SqliteConnection } from "./connection.ts";

interface Waiting {
  resolve(connection: SqliteConnection): void;
  reject(error: unknown): void;
}

/** Limit on the connections: reads that pause between steps keep theirs; all others end within one turn. */
const most = 16;

/** Read transactions on connections of their own, opened on demand. */
export class SqliteReaders {
  readonly #open: () => Libsql.Database;
  readonly #language: Language;
  readonly #all = new Set<SqliteConnection>();
  readonly #free: SqliteConnection[] = [];
  readonly #waiting: Waiting[] = [];
  #isClosed = false;

  constructor(open: () => Libsql.Database, language: Language) {
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
