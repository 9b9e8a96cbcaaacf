import { createHash, randomBytes } from "node:crypto";
import type { Database } from "./tables.ts";

/** A token, its owner, and when the owner's account is due or was closed. */
export function find(db: Database, token: string) {
  return db
    .selectFrom("tokens")
    .innerJoin("users", "users.id", "tokens.user_id")
    .innerJoin("accounts", "accounts.id", "users.account_id")
    .select(["users.id", "users.account_id", "users.username", "users.restricted", "users.add_domains"])
    .select(["users.account_access", "tokens.scopes", "tokens.expires", "accounts.due", "accounts.closed"])
    .where("tokens.hash", "=", hash(token))
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
