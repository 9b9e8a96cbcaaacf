import type { Insertable } from "kysely";
import type { Database, PaymentRow, Tables } from "../../store/tables.ts";

export async function insertPaymentRow(db: Database, row: Insertable<Tables["payments"]>): Promise<void> {
  await db.insertInto("payments").values(row).execute();
}

/** All payments of an account, the oldest first. */
export function listAllPayments(db: Database, account_id: number): Promise<PaymentRow[]> {
  return db.selectFrom("payments").selectAll().where("account_id", "=", account_id).orderBy("id").execute();
}

/** Invoices of an account less its payments: negative for a credit. */
export async function sumBalance(db: Database, account_id: number): Promise<number> {
  const { owed } = await db
    .selectFrom("invoices")
    .select(({ fn }) => fn.sum<number | null>("total").as("owed"))
    .where("account_id", "=", account_id)
    .executeTakeFirstOrThrow();
  const { paid } = await db
    .selectFrom("payments")
    .select(({ fn }) => fn.sum<number | null>("amount").as("paid"))
    .where("account_id", "=", account_id)
    .executeTakeFirstOrThrow();
  return Number(owed ?? 0) - Number(paid ?? 0);
}
