import { accountOf } from "../../entities/account.ts";
import type { AccountRow, Database } from "../../store/tables.ts";
import { lockDomainPlaces, lockDomains } from "../domains/domains-rows.ts";
import { type AcceptedTransfer, entitiesOfTransfers } from "./entity-transfers-rows.ts";

/** Locks accounts in the order of their ids, so that two transfers between the same ones never wait for each other. */
export async function lockAccounts(db: Database, ids: readonly number[]): Promise<Map<number, AccountRow>> {
  const accounts = new Map<number, AccountRow>();
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) accounts.set(id, await accountOf(db, id));
  return accounts;
}

/**
 * Locks all that these transfers change, in the order of requests: the domains by id, their places, then the accounts.
 * Nodes need no locks: whoever changes one locks its account.
 */
export async function lockTransfers(
  db: Database,
  accepted: readonly AcceptedTransfer[],
): Promise<Map<number, AccountRow>> {
  const entities = await entitiesOfTransfers(
    db,
    accepted.map(({ id }) => id),
  );
  const ids = entities.filter(({ entity_type }) => entity_type === "domain").map(({ entity_id }) => entity_id);
  await lockDomainPlaces(db, await lockDomains(db, ids));
  return lockAccounts(
    db,
    accepted.flatMap(({ account_id, receiver_id }) => [account_id, receiver_id]),
  );
}
