import { advise } from "../../../diagnostics/advice.ts";
import { problemError } from "../../../diagnostics/problem.ts";
import { findLockedAccount, updateAccountRow } from "../../entities/accounts-rows.ts";
import type { Store } from "../../store/store.ts";
import type { AccountRow, Database } from "../../store/tables.ts";

export function listAccounts(store: Store): Promise<AccountRow[]> {
  return store.read((db) => db.selectFrom("accounts").selectAll().orderBy("name").execute());
}

/**
 * Reopens a cancelled account: its tokens are valid and its domains are served again.
 * @throws {ProblemError} `account-unknown`, `account-open`
 */
export function reopenAccount(store: Store, name: string): Promise<void> {
  return store.write(async (db) => {
    const { id, closed } = await requireAccount(db, name);
    if (closed === null)
      throw problemError("account-open", `the account "${name}" is not closed`, {
        fix: advise`Run ${{ run: "server operator account list" }} to see which accounts are closed.`,
      });
    await updateAccountRow(db, id, { closed: null, closing_comments: null });
  });
}

/** The account of this name, locked in a write. @throws {ProblemError} `account-unknown` */
export async function requireAccount(db: Database, name: string): Promise<AccountRow> {
  const account = await findLockedAccount(db, "name", name);
  if (account) return account;
  throw problemError("account-unknown", `the account "${name}" does not exist`, {
    fix: advise`Run ${{ run: "server operator account list" }} to list the accounts.`,
  });
}
