import type { EntityTransfer } from "../../../contract/resources/entity-transfer.ts";
import { addToList } from "../../../group-by.ts";
import type { Context } from "../../entities/context.ts";
import type { Database, EntityTransferRow, TransferredType } from "../../store/tables.ts";
import { entitiesOfTransfers } from "./entity-transfers-rows.ts";

/** Stored transfers as replies show them (decisions/account#transfers, decisions/service#order-of-keys). */
export async function transferReplies(
  db: Database,
  rows: readonly EntityTransferRow[],
  { caller }: Context,
): Promise<EntityTransfer[]> {
  const entities = await entitiesOfTransfers(
    db,
    rows.map(({ id }) => id),
  );
  const ids = new Map<string, number[]>();
  for (const { transfer_id, entity_type, entity_id } of entities)
    addToList(ids, `${transfer_id} ${entity_type}`, entity_id);
  const idsOf = (transfer: number, type: TransferredType) => ids.get(`${transfer} ${type}`) ?? [];
  return rows.map((row) => ({
    entities: { nodes: idsOf(row.id, "node"), domains: idsOf(row.id, "domain") },
    token: row.token,
    status: row.status,
    created: row.created,
    updated: row.updated,
    expiry: row.expires,
    is_sender: row.account_id === caller.accountId,
  }));
}

export async function transferReply(db: Database, row: EntityTransferRow, context: Context): Promise<EntityTransfer> {
  const [reply] = await transferReplies(db, [row], context);
  if (reply === undefined) throw new Error("a transfer without a reply");
  return reply;
}
