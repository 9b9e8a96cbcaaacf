import * as crypto from "node:crypto";
import { expressionBuilder } from "kysely";
import { redactedSecret } from "../../../contract/meta.ts";
import { ownerColumns } from "../../entities/owners-rows.ts";
import { type Attributes, always, number, textAttribute } from "../../store/filter.ts";
import { statement } from "../../store/language.ts";
import { type Rows, type Slice, slice } from "../../store/page.ts";
import type { Database, Tables, TokenRow } from "../../store/tables.ts";

/** A token with its owner, by its hash; not one of an OAuth client that is not active. */
export function findTokenRow(db: Database, hash: string) {
  return byHash.first(db, hash);
}

const byHash = statement((db, hash: string) =>
  db
    .selectFrom("tokens")
    .innerJoin("users", "users.id", "tokens.user_id")
    .innerJoin("accounts", "accounts.id", "users.account_id")
    .select([...ownerColumns, "tokens.scopes", "tokens.expires"])
    .where("tokens.hash", "=", hash)
    .where((eb) =>
      eb.or([
        eb("tokens.authorization_id", "is", null),
        eb.exists(
          eb
            .selectFrom("authorizations")
            .innerJoin("oauth_clients", "oauth_clients.id", "authorizations.oauth_client_id")
            .innerJoin("accounts as client_accounts", "client_accounts.id", "oauth_clients.account_id")
            .select("authorizations.id")
            .whereRef("authorizations.id", "=", "tokens.authorization_id")
            .where("oauth_clients.status", "=", "active")
            .where("client_accounts.closed", "is", null),
        ),
      ]),
    ),
);

/** A new token, code or secret: 64 hexadecimal digits. */
export function createSecret(): string {
  return crypto.randomBytes(32).toString("hex");
}

/** SHA-256 of a token. It needs no salt: a token is random and long, so it cannot be guessed. */
export function hashSecret(token: string): string {
  return crypto.hash("sha256", token);
}

/** A user's personal access tokens that are valid at this moment. */
export function listValidTokens(db: Database, user_id: number, now: string, wanted: Slice): Promise<Rows<TokenRow>> {
  return slice(db, { rows: validOf(db, user_id, now) }, attributes, wanted);
}

/** The token of this id among those. */
export function findValidToken(db: Database, user_id: number, now: string, id: number): Promise<TokenRow | undefined> {
  return validOf(db, user_id, now).selectAll().where("id", "=", id).executeTakeFirst();
}

/** Deletes the token of this id; true if it existed. */
export async function removeTokenRow(db: Database, id: number): Promise<boolean> {
  return (await db.deleteFrom("tokens").where("id", "=", id).returning("id").execute()).length > 0;
}

function validOf(db: Database, user_id: number, now: string) {
  return db
    .selectFrom("tokens")
    .where("user_id", "=", user_id)
    .where("authorization_id", "is", null)
    .where((eb) => eb.or([eb("expires", "is", null), eb("expires", ">", now)]));
}

const eb = expressionBuilder<Tables, "tokens">();

const attributes: Attributes = {
  id: number(eb.ref("tokens.id")),
  label: textAttribute(eb.ref("tokens.label")),
  created: textAttribute(eb.ref("tokens.created")),
  expiry: textAttribute(eb.ref("tokens.expires")),
  scopes: textAttribute(eb.ref("tokens.scopes")),
  token: always(redactedSecret),
};
