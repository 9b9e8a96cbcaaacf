import * as accounts from "../store/accounts.ts";
import type { Database } from "../store/tables.ts";
import { exactTimestamp } from "./timestamp.ts";

/** An account, or one of its nodes, of which due work is looked at. */
export interface Part {
  readonly accountId: number;
  readonly nodeId?: number;
}

/** Work besides jobs that becomes due in accounts, such as their automatic backups; `settle` applies it. */
export interface DueWork {
  /** When the earliest piece of work is due; null without one. */
  next(db: Database, part: Part): Promise<string | null>;
  /** Applies the piece of work that is due first; it is not due again then. */
  apply(db: Database, part: Part): Promise<void>;
}

/** Makes `settle` look at the account at this moment, unless it does so earlier. */
export function makeWorkDue(db: Database, accountId: number, due: Date): Promise<void> {
  return accounts.makeDue(db, accountId, exactTimestamp(due));
}
