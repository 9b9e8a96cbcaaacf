import { type Owner, ownerColumns } from "../../entities/owners-rows.ts";
import type { Database } from "../../store/tables.ts";

/** The user of a session that has not expired. */
export function findSessionRow(db: Database, hash: string, now: string): Promise<Owner | undefined> {
  return db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .innerJoin("accounts", "accounts.id", "users.account_id")
    .select(ownerColumns)
    .where("sessions.hash", "=", hash)
    .where("sessions.expires", ">", now)
    .executeTakeFirst();
}

/** Stores a session, and deletes all that have expired. */
export async function insertSessionRow(
  db: Database,
  row: { readonly hash: string; readonly user_id: number; readonly expires: string },
  now: string,
): Promise<void> {
  await db.deleteFrom("sessions").where("expires", "<=", now).execute();
  await db.insertInto("sessions").values(row).execute();
}
