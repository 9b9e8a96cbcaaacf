import { createHash } from "node:crypto";
import type { Database } from "./tables.ts";

/** A token and its owner. */
export function find(db: Database, token: string) {
  return db
    .selectFrom("tokens")
    .innerJoin("users", "users.id", "tokens.user_id")
    .select(["users.id", "users.account_id", "users.username", "users.restricted", "users.add_domains"])
    .select(["tokens.scopes", "tokens.expires"])
    .where("tokens.hash", "=", hash(token))
    .executeTakeFirst();
}

/** SHA-256 of a token. It needs no salt: a token is random and long, so it cannot be guessed. */
export function hash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
