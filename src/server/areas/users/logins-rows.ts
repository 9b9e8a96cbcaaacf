import { expressionBuilder } from "kysely";
import { type Attributes, always, boolean, number, textAttribute } from "../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../store/page.ts";
import type { Database, LoginRow, NewLoginRow, Tables } from "../../store/tables.ts";

/** The sign-ins of the account's users since a moment. */
export function listLoginRows(db: Database, account_id: number, since: string, wanted: Slice): Promise<Rows<LoginRow>> {
  const rows = db.selectFrom("logins").where("account_id", "=", account_id).where("created", ">=", since);
  return slice(db, { rows }, attributes, wanted);
}

export function findLoginRow(
  db: Database,
  account_id: number,
  since: string,
  id: number,
): Promise<LoginRow | undefined> {
  return db
    .selectFrom("logins")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", account_id)
    .where("created", ">=", since)
    .executeTakeFirst();
}

/** Stores a sign-in, and deletes those of the account from before `since`. */
export async function insertLoginRow(db: Database, row: NewLoginRow, since: string): Promise<void> {
  await db.deleteFrom("logins").where("account_id", "=", row.account_id).where("created", "<", since).execute();
  await db.insertInto("logins").values(row).execute();
}

const eb = expressionBuilder<Tables, "logins">();

const attributes: Attributes = {
  id: number(eb.ref("logins.id")),
  datetime: textAttribute(eb.ref("logins.created")),
  ip: textAttribute(eb.ref("logins.ip")),
  username: textAttribute(eb.ref("logins.username")),
  status: always("successful"),
  restricted: boolean(eb.ref("logins.restricted")),
};
