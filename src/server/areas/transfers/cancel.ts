import type { Context } from "../../entities/context.ts";
import { transferEntity } from "../../entities/entities.ts";
import { addEvent } from "../../entities/events.ts";
import { timestamp } from "../../kit/timestamp.ts";
import { updateRows } from "../../store/rows.ts";
import type { Database, EntityTransferRow } from "../../store/tables.ts";
import { entitiesOfTransfers, listPendingTransfers } from "./entity-transfers-rows.ts";

/** Cancels a pending transfer of the caller's account, which is locked. */
export async function cancel(db: Database, transfer: EntityTransferRow, context: Context): Promise<void> {
  await updateRows(
    db,
    "entity_transfers",
    { id: transfer.id },
    { status: "cancelled", updated: timestamp(context.now) },
  );
  const entity = transferEntity(transfer, await entitiesOfTransfers(db, [transfer.id]));
  await addEvent(db, context, "entity_transfer_cancel", { entity });
}

/** Cancels the pending transfers of an account that is closed (decisions/account#cancellation). */
export async function cancelAll(db: Database, context: Context): Promise<void> {
  for (const transfer of await listPendingTransfers(db, context.caller.accountId)) await cancel(db, transfer, context);
}
