import { reasons } from "../../../contract/errors.ts";
import { readAccount } from "../../entities/account.ts";
import type { Find } from "../../entities/resource.ts";
import { badRequest } from "../../kit/api-error.ts";
import type { AccountRow } from "../../store/tables.ts";

/**
 * The caller's account, which owns all that belongs to managed monitoring; in a write its row is locked.
 * @throws {Refusal} 400 for an account without managed monitoring
 */
export const findManagedAccount: Find<object, AccountRow> = async (db, _, { caller }) => {
  const account = await readAccount(db, caller);
  requireManaged(account);
  return account;
};

/** @throws {Refusal} 400 for an account without managed monitoring */
function requireManaged({ managed }: AccountRow): void {
  if (managed === 0) throw badRequest(reasons.managedDisabled);
}

/** Limit on each kind of what an account has in managed monitoring; each service is probed every minute. */
const mostOfKind = 250;

/** @throws {Refusal} 400 for an account that has as many of a kind as may be. */
export function requireRoom(count: number, kind: string): void {
  if (count >= mostOfKind) throw badRequest(`An account can have at most ${mostOfKind} ${kind}`);
}
