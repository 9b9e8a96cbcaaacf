import type { Database } from "../../store/tables.ts";

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
