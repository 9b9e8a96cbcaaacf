import type { Insertable } from "kysely";
import type { Database, NoticeRow, Tables } from "../../store/tables.ts";

/** The notices that an account sees at this moment: those for all accounts and its own, the oldest first. */
export function listNoticesFor(db: Database, account_id: number, now: string): Promise<NoticeRow[]> {
  return db
    .selectFrom("notices")
    .selectAll()
    .where((eb) => eb.or([eb("account_id", "is", null), eb("account_id", "=", account_id)]))
    .where((eb) => eb.or([eb("until", "is", null), eb("until", ">", now)]))
    .orderBy("id")
    .execute();
}

/** A notice with the name of its account; null for all accounts. */
export interface ListedNotice extends NoticeRow {
  readonly account: string | null;
}

/** All notices, the oldest first. */
export function listAllNotices(db: Database): Promise<ListedNotice[]> {
  return db
    .selectFrom("notices")
    .leftJoin("accounts", "accounts.id", "notices.account_id")
    .selectAll("notices")
    .select("accounts.name as account")
    .orderBy("notices.id")
    .execute();
}

/** Stores a notice and returns its id. */
export async function insertNoticeRow(db: Database, row: Insertable<Tables["notices"]>): Promise<number> {
  return (await db.insertInto("notices").values(row).returning("id").executeTakeFirstOrThrow()).id;
}

/** Deletes the notice of this id; true if it existed. */
export async function removeNoticeRow(db: Database, id: number): Promise<boolean> {
  return (await db.deleteFrom("notices").where("id", "=", id).returning("id").execute()).length > 0;
}
