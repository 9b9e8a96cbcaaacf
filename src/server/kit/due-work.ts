import type { Database } from "../store/tables.ts";

/** Work besides jobs that becomes due in accounts, such as their automatic backups; `settle` applies it. */
export interface DueWork {
  /** When the account's earliest piece of work is due; null without one. */
  next(db: Database, accountId: number): Promise<string | null>;
  /** Applies the piece of work that is due first; it is not due again then. */
  apply(db: Database, accountId: number): Promise<void>;
}
