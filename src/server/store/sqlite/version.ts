import type Libsql from "libsql";
import type { StoreVersion } from "../driver.ts";

interface Source {
  /** The connection to ask. */
  open(): Libsql.Database;
  /** A statement whose only value is the version. */
  readonly query: string;
}

/**
 * Reads the version of a SQLite database: of a file `pragma data_version` of a connection that never writes, which
 * differs after each commit of another connection, and costs two system calls.
 */
export class SqliteVersion {
  readonly #source: Source;
  #database: Libsql.Database | undefined;
  #statement: Libsql.Statement | undefined;
  #connections = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  /** Undefined if the database cannot be read: nothing is known to be current then. */
  read(): StoreVersion | undefined {
    try {
      this.#database ??= this.#open();
      this.#statement ??= (this.#database.prepare(this.#source.query) as Libsql.Statement).raw();
      const [version] = this.#statement.get([]) as unknown as [number];
      return this.#connections * 2 ** 32 + version;
    } catch {
      this.close();
      return undefined;
    }
  }

  /** Each connection counts from the same number: the versions of two of them say nothing about each other. */
  #open(): Libsql.Database {
    const database = this.#source.open();
    this.#connections++;
    return database;
  }

  close(): void {
    this.#statement = undefined;
    if (this.#database?.open) this.#database.close();
    this.#database = undefined;
  }
}
