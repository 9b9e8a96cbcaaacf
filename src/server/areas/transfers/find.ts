import { reasons } from "../../../contract/errors.ts";
import { settleAccount } from "../../entities/callers.ts";
import type { Context } from "../../entities/context.ts";
import { badRequest, notFound } from "../../kit/api-error.ts";
import { exactTimestamp } from "../../kit/timestamp.ts";
import { findRow } from "../../store/rows.ts";
import type { Database, EntityTransferRow } from "../../store/tables.ts";
import { findTransferSender } from "./entity-transfers-rows.ts";

/** Settles the account that sent the transfer with this token: its due work decides the status of the transfer. */
export async function settleSender(token: string, context: Context): Promise<void> {
  const { store, caller, now } = context;
  const sender = await store.read((db) => findTransferSender(db, token));
  const isDue = sender !== undefined && sender.due !== null && sender.due <= exactTimestamp(now);
  if (isDue && sender.id !== caller.accountId) await settleAccount(context, sender.id, now);
}

/** @throws {Refusal} 404 for an unknown token. */
export async function findTransfer(db: Database, token: string): Promise<EntityTransferRow> {
  const transfer = await findRow(db, "entity_transfers", { token: token.toUpperCase() });
  if (transfer === undefined) throw notFound();
  return transfer;
}

/**
 * The transfer with this token: its two sides see it always, others while it is pending.
 * @throws {Refusal} 404 for an unknown token, and for a transfer of others that is no longer pending.
 */
export async function findVisible(db: Database, token: string, { caller }: Context): Promise<EntityTransferRow> {
  const transfer = await findTransfer(db, token);
  const { account_id, receiver_id, status } = transfer;
  if (status !== "pending" && account_id !== caller.accountId && receiver_id !== caller.accountId) throw notFound();
  return transfer;
}

/** @throws {Refusal} 400 for a transfer that was accepted, cancelled or left to become stale. */
export function requirePending({ status }: EntityTransferRow): void {
  if (status !== "pending") throw badRequest(reasons.transferNotPending);
}
