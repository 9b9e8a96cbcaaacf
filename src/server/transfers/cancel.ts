import type { Context } from "../kit/context.ts";
import { transferEntity } from "../kit/entities.ts";
import { addEvent } from "../kit/events.ts";
import { timestamp } from "../kit/timestamp.ts";
import * as transfers from "../store/entity-transfers.ts";
import type { Database, EntityTransferRow } from "../store/tables.ts";

/** Cancels a pending transfer of the caller's account, which is locked. */
export async function cancel(db: Database, transfer: EntityTransferRow, context: Context): Promise<void> {
  await transfers.update(db, transfer.id, { status: "cancelled", updated: timestamp(context.now) });
  const entity = transferEntity(transfer, await transfers.entitiesOf(db, [transfer.id]));
  await addEvent(db, context, "entity_transfer_cancel", { entity });
}

/** Cancels the pending transfers of an account that is closed (decisions/account#cancellation). */
export async function cancelAll(db: Database, context: Context): Promise<void> {
  for (const transfer of await transfers.listPending(db, context.caller.accountId)) await cancel(db, transfer, context);
}
