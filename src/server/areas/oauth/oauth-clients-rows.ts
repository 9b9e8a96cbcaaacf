import { expressionBuilder } from "kysely";
import { redactedSecret } from "../../../contract/meta.ts";
import { type Attributes, always, boolean, constant, textAttribute } from "../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../store/page.ts";
import type { Database, NewOAuthClientRow, OAuthClientRow, Tables } from "../../store/tables.ts";
import { isStorable } from "../../store/text.ts";

export function listOAuthClientRows(db: Database, account_id: number, wanted: Slice): Promise<Rows<OAuthClientRow>> {
  return slice(db, { rows: db.selectFrom("oauth_clients").where("account_id", "=", account_id) }, attributes, wanted);
}

/** The account's client of this id. */
export function findOAuthClientRow(
  db: Database,
  account_id: number,
  client_id: string,
): Promise<OAuthClientRow | undefined> {
  return db
    .selectFrom("oauth_clients")
    .selectAll()
    .where("client_id", "=", client_id)
    .where("account_id", "=", account_id)
    .executeTakeFirst();
}

/**
 * The client of this id that may be used: the operator has not stopped it, and its account is open. In a write it
 * cannot be deleted until the end.
 */
export async function findActiveOAuthClient(db: Database, client_id: string): Promise<OAuthClientRow | undefined> {
  if (!isStorable(client_id)) return undefined;
  return db
    .selectFrom("oauth_clients")
    .innerJoin("accounts", "accounts.id", "oauth_clients.account_id")
    .selectAll("oauth_clients")
    .where("oauth_clients.client_id", "=", client_id)
    .where("oauth_clients.status", "=", "active")
    .where("accounts.closed", "is", null)
    .forKeyShare("oauth_clients")
    .executeTakeFirst();
}

export function insertOAuthClientRow(db: Database, row: NewOAuthClientRow): Promise<OAuthClientRow> {
  return db.insertInto("oauth_clients").values(row).returningAll().executeTakeFirstOrThrow();
}

export function updateOAuthClientRow(
  db: Database,
  id: number,
  changes: Partial<NewOAuthClientRow>,
): Promise<OAuthClientRow> {
  return db.updateTable("oauth_clients").set(changes).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}

/** Deletes a client with its authorizations and all their tokens. */
export async function removeOAuthClientRow(db: Database, id: number): Promise<void> {
  await db.deleteFrom("oauth_clients").where("id", "=", id).execute();
}

const eb = expressionBuilder<Tables, "oauth_clients">();

const attributes: Attributes = {
  id: textAttribute(eb.ref("oauth_clients.client_id")),
  label: textAttribute(eb.ref("oauth_clients.label")),
  public: boolean(eb.ref("oauth_clients.public")),
  redirect_uri: textAttribute(eb.ref("oauth_clients.redirect_uri")),
  secret: always(redactedSecret),
  status: textAttribute(eb.ref("oauth_clients.status")),
  thumbnail_url: constant,
};
