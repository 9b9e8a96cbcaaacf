import { expressionBuilder, sql } from "kysely";
import { type Attributes, anyOf, boolean, neverTrue, textAttribute } from "../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../store/page.ts";
import type { Database, Tables, UserRow } from "../../store/tables.ts";

export function listUserRows(db: Database, account_id: number, wanted: Slice): Promise<Rows<UserRow>> {
  return slice(db, { rows: db.selectFrom("users").where("account_id", "=", account_id) }, attributes, wanted);
}

/** A user whose name is this one, or differs by letter case only. */
export function findSimilarUser(db: Database, username: string): Promise<UserRow | undefined> {
  return db
    .selectFrom("users")
    .selectAll()
    .where(({ fn, ref }) => fn<string>("lower", [ref("username")]), "=", username.toLowerCase())
    .orderBy("username")
    .executeTakeFirst();
}

/** The user of this name with the moment at which their account was closed, null if it is open. */
export function findUserWithClosing(db: Database, username: string) {
  return db
    .selectFrom("users")
    .innerJoin("accounts", "accounts.id", "users.account_id")
    .select(["users.id", "users.account_id", "users.restricted", "users.password", "accounts.closed"])
    .where("users.username", "=", username)
    .executeTakeFirst();
}

export async function readUserEmail(db: Database, id: number): Promise<string> {
  return (await db.selectFrom("users").select("email").where("id", "=", id).executeTakeFirstOrThrow()).email;
}

const eb = expressionBuilder<Tables, "users">();

const attributes: Attributes = {
  username: textAttribute(eb.ref("users.username")),
  email: textAttribute(eb.ref("users.email")),
  restricted: boolean(eb.ref("users.restricted")),
  ssh_keys: anyOf(
    textAttribute(sql.ref("ssh_keys.label")),
    sql`from ssh_keys where ssh_keys.user_id = users.id`,
    sql.ref("ssh_keys.id"),
  ),
  tfa_enabled: neverTrue,
};

/** Whether any user has a password. */
export async function isPasswordSet(db: Database): Promise<boolean> {
  const user = await db.selectFrom("users").select("id").where("password", "is not", null).limit(1).executeTakeFirst();
  return user !== undefined;
}
