import { expressionBuilder, sql } from "kysely";
import { type Attributes, boolean, textAttribute } from "../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../store/page.ts";
import type {
  AccountRow,
  Database,
  EntityTransferRow,
  NewEntityTransferRow,
  Tables,
  TransferredEntityRow,
  TransferredType,
} from "../../store/tables.ts";

/** The transfers that an account sent or accepted. */
export function listTransferRows(db: Database, account_id: number, wanted: Slice): Promise<Rows<EntityTransferRow>> {
  return slice(
    db,
    { rows: db.selectFrom("entity_transfers").where(isOf(account_id)) },
    attributesFor(account_id),
    wanted,
  );
}

/** The account that sent the transfer with this token, and when it is due. */
export function findTransferSender(db: Database, token: string): Promise<Pick<AccountRow, "id" | "due"> | undefined> {
  return db
    .selectFrom("entity_transfers")
    .innerJoin("accounts", "accounts.id", "entity_transfers.account_id")
    .select(["accounts.id", "accounts.due"])
    .where("token", "=", token.toUpperCase())
    .executeTakeFirst();
}

/** An entity that is transferred, and its name. */
export type NewTransferredEntity = Omit<TransferredEntityRow, "transfer_id" | "position">;

/** Adds a transfer of these entities. */
export async function insertTransferRow(
  db: Database,
  { entities, ...row }: NewEntityTransferRow & { readonly entities: readonly NewTransferredEntity[] },
): Promise<EntityTransferRow> {
  const transfer = await db.insertInto("entity_transfers").values(row).returningAll().executeTakeFirstOrThrow();
  for (let position = 0; position < entities.length; position += entitiesAtOnce) {
    const part = entities.slice(position, position + entitiesAtOnce);
    await db
      .insertInto("transferred_entities")
      .values(part.map((entity, index) => ({ ...entity, transfer_id: transfer.id, position: position + index })))
      .execute();
  }
  return transfer;
}

/** Rows of one statement: PostgreSQL supports 65,535 parameters, SQLite 32,766. */
const entitiesAtOnce = 1000;

/** The entities of these transfers, in their order. */
export async function entitiesOfTransfers(db: Database, transfers: readonly number[]): Promise<TransferredEntityRow[]> {
  if (transfers.length === 0) return [];
  return db
    .selectFrom("transferred_entities")
    .selectAll()
    .where("transfer_id", "in", transfers)
    .orderBy("transfer_id")
    .orderBy("position")
    .execute();
}

/** Which of these entities are in a transfer that is pending or accepted. */
export async function listEntitiesInTransfer(
  db: Database,
  type: TransferredType,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("transferred_entities")
    .innerJoin("entity_transfers", "entity_transfers.id", "transferred_entities.transfer_id")
    .select("transferred_entities.entity_id")
    .where("transferred_entities.entity_type", "=", type)
    .where("transferred_entities.entity_id", "in", ids)
    .where("entity_transfers.status", "in", ["pending", "accepted"])
    .execute();
  return rows.map(({ entity_id }) => entity_id);
}

/** The pending transfers that an account sent, the first to become stale first. */
export function listPendingTransfers(db: Database, account_id: number): Promise<EntityTransferRow[]> {
  return selectPending(db, account_id).execute();
}

/** The pending transfer of an account that becomes stale first. */
export function findFirstPendingTransfer(db: Database, account_id: number): Promise<EntityTransferRow | undefined> {
  return selectPending(db, account_id).limit(1).executeTakeFirst();
}

function selectPending(db: Database, account_id: number) {
  return db
    .selectFrom("entity_transfers")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("status", "=", "pending")
    .orderBy("expires")
    .orderBy("id");
}

/** An accepted transfer, which ends at a moment. */
export type AcceptedTransfer = EntityTransferRow & { readonly receiver_id: number; readonly completes: string };

/** The accepted transfer of an account, sent or received, that ends first. */
export function findFirstAcceptedTransfer(db: Database, account_id: number): Promise<AcceptedTransfer | undefined> {
  return selectAccepted(db, account_id).limit(1).executeTakeFirst();
}

/** The accepted transfers of an account that end until this moment. */
export function listAcceptedTransfers(db: Database, account_id: number, until: string): Promise<AcceptedTransfer[]> {
  return selectAccepted(db, account_id).where("completes", "<=", until).execute();
}

function selectAccepted(db: Database, account_id: number) {
  return db
    .selectFrom("entity_transfers")
    .selectAll()
    .where(isOf(account_id))
    .where("status", "=", "accepted")
    .orderBy("completes")
    .orderBy("id")
    .$narrowType<{ receiver_id: number; completes: string }>();
}

const eb = expressionBuilder<Tables, "entity_transfers">();

function isOf(account_id: number) {
  return eb.or([eb("account_id", "=", account_id), eb("receiver_id", "=", account_id)]);
}

/** `is_sender` depends on the account that asks. */
function attributesFor(account_id: number): Attributes {
  const isSender = eb
    .case()
    .when("entity_transfers.account_id", "=", account_id)
    .then(sql<number>`1`)
    .else(sql<number>`0`);
  return {
    created: textAttribute(eb.ref("entity_transfers.created")),
    expiry: textAttribute(eb.ref("entity_transfers.expires")),
    is_sender: boolean(isSender.end()),
    status: textAttribute(eb.ref("entity_transfers.status")),
    token: textAttribute(eb.ref("entity_transfers.token")),
    updated: textAttribute(eb.ref("entity_transfers.updated")),
  };
}
