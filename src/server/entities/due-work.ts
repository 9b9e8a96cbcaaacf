import { exactTimestamp } from "../kit/timestamp.ts";
import type { Database } from "../store/tables.ts";
import { makeAccountDue } from "./accounts-rows.ts";

/** An account, or one of its nodes, of which due work is looked at. */
export interface Part {
  readonly accountId: number;
  readonly nodeId?: number;
}

/** Work besides jobs that becomes due in accounts, such as their automatic backups; `settle` applies it. */
export interface DueWork {
  /** Whether it moves entities to other accounts: it is applied before any request looks for them. */
  readonly movesEntities?: boolean;
  /**
   * Locks what the pieces due until a moment change besides the account, which is locked after it: requests that change
   * it lock it before their account. It may be left out, and `apply` must not rely on it.
   */
  lock?(db: Database, part: Part, until: string): Promise<void>;
  /** When the earliest piece of work is due; null without one. */
  next(db: Database, part: Part): Promise<string | null>;
  /** Applies the piece of work that is due first; it is not due again then. */
  apply(db: Database, part: Part): Promise<void>;
}

/** Makes `settle` look at the account at this moment, unless it does so earlier. */
export function makeWorkDue(db: Database, accountId: number, due: Date): Promise<void> {
  return makeAccountDue(db, accountId, exactTimestamp(due));
}
