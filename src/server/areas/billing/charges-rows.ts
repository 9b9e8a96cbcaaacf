import type { ChargeRow, Database, NewChargeRow } from "../../store/tables.ts";

/** The next turn of a charge that is invoiced to its end. */
export const neverInvoiced = "9999-12-31T23:59:59";

/** A node or a volume, which charges are about. */
export type ChargedEntity = Pick<ChargeRow, "entity_type" | "entity_id">;

/**
 * The charges of these entities of one type, in any account: of those that are invoiced to their end, the last of each
 * kind.
 */
export async function listChargesOf(
  db: Database,
  entities: readonly ChargedEntity[],
): Promise<Map<number, ChargeRow[]>> {
  const found = new Map<number, ChargeRow[]>(entities.map(({ entity_id }) => [entity_id, []]));
  const [first] = entities;
  if (first === undefined) return found;
  const rows = await db
    .selectFrom("charges")
    .selectAll()
    .where("entity_type", "=", first.entity_type)
    .where("entity_id", "in", [...found.keys()])
    .orderBy("id")
    .execute();
  for (const row of rows) found.get(row.entity_id)?.push(row);
  return found;
}

/** The charges of an account that are not invoiced to their end. */
export function listOpenCharges(db: Database, account_id: number): Promise<ChargeRow[]> {
  const all = db.selectFrom("charges").selectAll().where("account_id", "=", account_id);
  return all.where("due", "<", neverInvoiced).orderBy("id").execute();
}

/** The month's turn at which the account gets its next invoice; null without a charge. */
export async function firstDueCharge(db: Database, account_id: number): Promise<string | null> {
  const first = await db
    .selectFrom("charges")
    .select("due")
    .where("account_id", "=", account_id)
    .where("due", "<", neverInvoiced)
    .orderBy("due")
    .limit(1)
    .executeTakeFirst();
  return first?.due ?? null;
}

/** Rows of one statement: SQLite supports 32,766 parameters, PostgreSQL more. */
const rowsAtOnce = 1000;

export async function insertChargeRows(db: Database, rows: readonly NewChargeRow[]): Promise<void> {
  for (let first = 0; first < rows.length; first += rowsAtOnce)
    await db
      .insertInto("charges")
      .values(rows.slice(first, first + rowsAtOnce))
      .execute();
}

/** Columns of a charge that is closed. */
export type ChargeEnd = Pick<ChargeRow, "id" | "closed"> & Partial<Pick<ChargeRow, "due">>;

/** Closes charges; those that end at one moment in one statement. */
export async function closeCharges(db: Database, ends: readonly ChargeEnd[]): Promise<void> {
  const groups = new Map<string, { changes: Omit<ChargeEnd, "id">; ids: number[] }>();
  for (const { id, ...changes } of ends) {
    const key = JSON.stringify(changes);
    const group = groups.get(key) ?? { changes, ids: [] };
    groups.set(key, group);
    group.ids.push(id);
  }
  for (const { changes, ids } of groups.values())
    await db.updateTable("charges").set(changes).where("id", "in", ids).execute();
}

/** Whether the node or the volume of a charge exists. */
export async function hasChargedEntity(db: Database, { entity_type, entity_id }: ChargedEntity): Promise<boolean> {
  const table = entity_type === "node" ? "nodes" : "volumes";
  const row = await db.selectFrom(table).select("id").where("id", "=", entity_id).executeTakeFirst();
  return row !== undefined;
}

export async function removeChargeRows(db: Database, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom("charges").where("id", "in", ids).execute();
}

/** The accounts that have a charge. */
export async function listChargedEntities(db: Database): Promise<number[]> {
  return idsOf(await db.selectFrom("charges").select("account_id").distinct().orderBy("account_id").execute());
}

/** The accounts that have a charge, a node or a volume. */
export async function listPayers(db: Database): Promise<number[]> {
  const payers = db
    .selectFrom("charges")
    .select("account_id")
    .union(db.selectFrom("nodes").select("account_id"))
    .union(db.selectFrom("volumes").select("account_id"));
  return idsOf(await payers.orderBy("account_id").execute());
}

function idsOf(rows: readonly Pick<ChargeRow, "account_id">[]): number[] {
  return rows.map(({ account_id }) => account_id);
}
