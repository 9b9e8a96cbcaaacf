import type { AccountRow, Database } from "../store/tables.ts";

/**
 * The account with this id or name, locked in a write. Rows that refer to it can still be inserted meanwhile: a
 * transaction that has inserted one (a domain, an event) could otherwise deadlock with another that has, when both then
 * lock the account.
 */
export function findLockedAccount(
  db: Database,
  column: "id" | "name",
  value: number | string,
): Promise<AccountRow | undefined> {
  return db.selectFrom("accounts").selectAll().where(column, "=", value).forNoKeyUpdate().executeTakeFirst();
}

/** Whether `applyDueWork` has something to do in an account at this moment. */
export async function isAccountDue(db: Database, id: number, now: string): Promise<boolean> {
  const row = await db.selectFrom("accounts").select("due").where("id", "=", id).executeTakeFirst();
  return row !== undefined && row.due !== null && row.due <= now;
}

export async function readAccountName(db: Database, id: number): Promise<string | undefined> {
  const row = await db.selectFrom("accounts").select("name").where("id", "=", id).executeTakeFirst();
  return row?.name;
}

/** Makes `applyDueWork` look at the account at this moment, given to the millisecond, unless it does so earlier. */
export async function makeAccountDue(db: Database, id: number, moment: string): Promise<void> {
  await db
    .updateTable("accounts")
    .set({ due: moment })
    .where("id", "=", id)
    .where((eb) => eb.or([eb("due", "is", null), eb("due", ">", moment)]))
    .execute();
}
