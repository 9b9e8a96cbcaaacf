import { type Rows, type Slice, slice } from "./page.ts";
import type { Database, LoginRow, NewLoginRow } from "./tables.ts";

/** The sign-ins of the account's users since a moment. */
export function list(
  db: Database,
  account_id: number,
  since: string,
  wanted: Pick<Slice, "page" | "page_size">,
): Promise<Rows<LoginRow>> {
  const rows = db.selectFrom("logins").where("account_id", "=", account_id).where("created", ">=", since);
  return slice(db, { rows }, {}, { ...wanted, filter: { where: { kind: "and", parts: [] } } });
}

export function find(db: Database, account_id: number, since: string, id: number): Promise<LoginRow | undefined> {
  return db
    .selectFrom("logins")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", account_id)
    .where("created", ">=", since)
    .executeTakeFirst();
}

/** Stores a sign-in, and deletes those of the account from before `since`. */
export async function insert(db: Database, row: NewLoginRow, since: string): Promise<void> {
  await db.deleteFrom("logins").where("account_id", "=", row.account_id).where("created", "<", since).execute();
  await db.insertInto("logins").values(row).execute();
}
