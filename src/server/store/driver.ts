import type { Dialect } from "kysely";
import type { Columns } from "./migrations.ts";
import type { Database } from "./tables.ts";

/** The differences between the supported databases. Everything else is SQL through one query builder. */
export interface Driver {
  /** The location of the database in messages, without a password. */
  readonly place: string;
  readonly dialect: Dialect;
  /** For read transactions, if they use other connections. */
  readonly readDialect?: Dialect;
  readonly columns: Columns;
  /** Whether it can lock a row; otherwise it has a single writer at a time. */
  readonly locksRows: boolean;
  /** Waits for other transactions that exclude others, and excludes them until the end of this one. */
  excludeOthers(db: Database): Promise<void>;
  /** Whether the transaction failed because of a concurrent one and can simply be repeated. */
  hasCollided(error: unknown): boolean;
  /** Whether another process locks the whole database, so that the transaction can be tried again later. */
  isBusy(error: unknown): boolean;
  /** The reason of a database failure; undefined for other errors. */
  failure(error: unknown): string | undefined;
  /** Advice for a database that cannot be opened because of this error. */
  fix(error: unknown): string;
}
