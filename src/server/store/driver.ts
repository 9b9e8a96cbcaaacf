import type { Dialect } from "kysely";
import type { Columns } from "./migrations.ts";
import type { Database } from "./tables.ts";

/** What differs between the databases that can hold the store. Everything else is SQL through one query builder. */
export interface Driver {
  /** Where the database is, as it may be shown: never with a password. */
  readonly place: string;
  readonly dialect: Dialect;
  /** For work that only reads, where that uses other connections. */
  readonly readDialect?: Dialect;
  readonly columns: Columns;
  /** Can it lock a row? One that cannot has a single writer at a time. */
  readonly locksRows: boolean;
  /** Lets one process at a time past, until the end of the transaction. */
  alone(db: Database): Promise<void>;
  /** Is the work undone because of other work at the same moment, so that it can simply be done again? */
  collided(error: unknown): boolean;
  /** Does another process hold the whole database, so that the work can be tried again a little later? */
  isBusy(error: unknown): boolean;
  /** In words, why the database could not do its work; undefined for an error that is not the database's own trouble. */
  failure(error: unknown): string | undefined;
  /** What to do about a database that cannot be opened. */
  readonly fix: string;
}
