import { expressionBuilder } from "kysely";
import { type Attributes, boolean, text } from "./filter.ts";
import { type Rows, type Slice, slice } from "./page.ts";
import type { Database, Tables, UserRow } from "./tables.ts";

export function list(db: Database, account_id: number, wanted: Slice): Promise<Rows<UserRow>> {
  return slice({ rows: db.selectFrom("users").where("account_id", "=", account_id) }, attributes, wanted);
}

/** The account's user of this name. */
export function find(db: Database, account_id: number, username: string): Promise<UserRow | undefined> {
  return db
    .selectFrom("users")
    .selectAll()
    .where("username", "=", username)
    .where("account_id", "=", account_id)
    .executeTakeFirst();
}

const eb = expressionBuilder<Tables, "users">();

const attributes: Attributes = {
  username: text(eb.ref("users.username")),
  email: text(eb.ref("users.email")),
  restricted: boolean(eb.ref("users.restricted")),
};
