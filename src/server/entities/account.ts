import type { Scope } from "../../contract/scopes.ts";
import type { AccountRow, Database } from "../store/tables.ts";
import { findLockedAccount } from "./accounts-rows.ts";
import type { Caller, Profile } from "./context.ts";
import type { Find } from "./resource.ts";

/** The caller's account, which owns all resources without another parent; in a write its row is locked. */
export const findAccount: Find<object, AccountRow> = (db, _, { caller }) => readAccount(db, caller);

/** The caller's account, locked in a write. */
export function readAccount(db: Database, { accountId }: Caller): Promise<AccountRow> {
  return accountOf(db, accountId);
}

/** The account of this id, which something that belongs to it names; locked in a write. */
export async function accountOf(db: Database, id: number): Promise<AccountRow> {
  const account = await findLockedAccount(db, "id", id);
  if (account === undefined) throw new Error(`the account ${id} does not exist`);
  return account;
}

/**
 * Whether an account is shown with managed monitoring. It works until it is disabled; the hosted service, which sells
 * it, shows it once it was enabled.
 */
export function hasManaged({ managed }: AccountRow, profile: Profile): boolean {
  return managed === managedOn || (managed === 1 && profile === "documented");
}

/** In the column `managed`, if it was enabled. */
export const managedOn = 2;

/** Whether a user may use the account's own data: restricted users need account_access (decisions/account#access). */
export function hasAccountAccess({ isRestricted, accountAccess }: Caller, scope: Scope): boolean {
  return !isRestricted || accountAccess === "read_write" || (accountAccess !== null && scope.endsWith(":read_only"));
}
