import type { Insertable } from "kysely";
import * as accounts from "./accounts.ts";
import type { Database, JobRow, Tables } from "./tables.ts";

/** Adds a job, and makes its account due at its end. */
export async function insert(db: Database, row: Insertable<Tables["jobs"]>): Promise<void> {
  await db.insertInto("jobs").values(row).execute();
  await db
    .updateTable("accounts")
    .set({ due: row.ends })
    .where("id", "=", row.account_id)
    .where((eb) => eb.or([eb("due", "is", null), eb("due", ">", row.ends)]))
    .execute();
}

/** Locks the account if it is due at this moment; false if another server has settled it meanwhile. */
export async function lockDueAccount(db: Database, id: number, now: string): Promise<boolean> {
  const row = await accounts.findLocked(db, "id", id);
  return row !== undefined && row.due !== null && row.due <= now;
}

/** Deletes the earliest jobs that have ended and returns them in the order of their ends. */
export async function takeEnded(db: Database, account_id: number, now: string, most: number): Promise<JobRow[]> {
  const ended = await db
    .selectFrom("jobs")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("ends", "<=", now)
    .orderBy("ends")
    .orderBy("id")
    .limit(most)
    .execute();
  const ids = ended.map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom("jobs").where("id", "in", ids).execute();
  return ended;
}

/** Sets the account's due moment to the end of its earliest job. */
export async function updateDue(db: Database, account_id: number): Promise<void> {
  const next = await db
    .selectFrom("jobs")
    .select("ends")
    .where("account_id", "=", account_id)
    .orderBy("ends")
    .limit(1)
    .executeTakeFirst();
  await db
    .updateTable("accounts")
    .set({ due: next?.ends ?? null })
    .where("id", "=", account_id)
    .execute();
}
