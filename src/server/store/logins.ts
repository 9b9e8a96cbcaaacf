import type { Database, NewLoginRow } from "./tables.ts";

/** Stores a sign-in, and deletes those of the account from before `since`. */
export async function insert(db: Database, row: NewLoginRow, since: string): Promise<void> {
  await db.deleteFrom("logins").where("account_id", "=", row.account_id).where("created", "<", since).execute();
  await db.insertInto("logins").values(row).execute();
}
