import { expressionBuilder } from "kysely";
import { redactedSecret } from "../../../contract/meta.ts";
import { type Attributes, always, boolean, constant, textAttribute } from "../../store/filter.ts";
import { isStorable } from "../../store/language.ts";
import { type Rows, type Slice, slice } from "../../store/page.ts";
import type { Database, OAuthClientRow, Tables } from "../../store/tables.ts";

export function listOAuthClientRows(db: Database, account_id: number, wanted: Slice): Promise<Rows<OAuthClientRow>> {
  return slice(db, { rows: db.selectFrom("oauth_clients").where("account_id", "=", account_id) }, attributes, wanted);
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
