import { advise } from "../../../diagnostics/advice.ts";
import { problemError } from "../../../diagnostics/problem.ts";
import { timestamp } from "../../kit/timestamp.ts";
import type { Store } from "../../store/store.ts";
import { requireAccount } from "../users/accounts-operator.ts";
import { insertNoticeRow, type ListedNotice, listAllNotices, removeNoticeRow } from "./notices-rows.ts";

/** A notice to add. */
export interface NewNotice {
  readonly label: string;
  readonly message: string;
  /** Account that sees it; by default all do. */
  readonly account?: string | undefined;
  /** When it disappears; by default never. */
  readonly until?: Date | undefined;
}

/**
 * Adds a notice, which shows among the notifications of accounts, and returns its id.
 * @throws {ProblemError} `account-unknown`
 */
export function addNotice(store: Store, { label, message, account, until }: NewNotice): Promise<number> {
  return store.write(async (db) => {
    const account_id = account === undefined ? null : (await requireAccount(db, account)).id;
    return insertNoticeRow(db, { account_id, label, message, until: until ? timestamp(until) : null });
  });
}

export function listNotices(store: Store): Promise<ListedNotice[]> {
  return store.read(listAllNotices);
}

/** @throws {ProblemError} `notice-unknown` */
export async function removeNotice(store: Store, id: number): Promise<void> {
  if (await store.write((db) => removeNoticeRow(db, id))) return;
  throw problemError("notice-unknown", `notice ${id} does not exist`, {
    fix: advise`Run ${{ run: "server operator notice list" }} to list the notices.`,
  });
}
