import { createHash, randomBytes } from "node:crypto";
import { ownerColumns } from "./owners.ts";
import type { Database } from "./tables.ts";

/** A token with its owner; not one of an OAuth client that is not active. */
export function find(db: Database, token: string) {
  return db
    .selectFrom("tokens")
    .innerJoin("users", "users.id", "tokens.user_id")
    .innerJoin("accounts", "accounts.id", "users.account_id")
    .select([...ownerColumns, "tokens.scopes", "tokens.expires"])
    .where("tokens.hash", "=", hash(token))
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
    )
    .executeTakeFirst();
}

/** A new token, code or secret: 64 hexadecimal digits. */
export function createSecret(): string {
  return randomBytes(32).toString("hex");
}

/** SHA-256 of a token. It needs no salt: a token is random and long, so it cannot be guessed. */
export function hash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** A user's tokens without their values, by id. */
export function listOf(db: Database, user_id: number) {
  return db
    .selectFrom("tokens")
    .select(["id", "label", "scopes", "created", "expires"])
    .where("user_id", "=", user_id)
    .orderBy("id")
    .execute();
}
