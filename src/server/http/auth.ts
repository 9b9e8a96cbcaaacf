import { createHash } from "node:crypto";
import { reasons } from "../../contract/errors.ts";
import { allows, parseScopes, type Scope } from "../../contract/scopes.ts";
import { ApiError } from "../kit/api-error.ts";
import { timestamp } from "../kit/timestamp.ts";
import type { Store } from "../store/store.ts";

/** Whose token a request carries. */
export interface Caller {
  readonly userId: number;
  readonly accountId: number;
  readonly username: string;
  /** May they do only what grants say? */
  readonly isRestricted: boolean;
  /** May they make domains? Who is not restricted may. */
  readonly addsDomains: boolean;
  readonly scopes: readonly string[];
}

/** The owner of the token in an `Authorization` header; undefined for none, an unknown, an expired or a revoked one. */
export async function identify(store: Store, authorization: string | null, now: Date): Promise<Caller | undefined> {
  const token = authorization?.match(/^Bearer +(\S+)$/i)?.[1];
  if (token === undefined) return undefined;
  const row = await store.read((db) =>
    db
      .selectFrom("tokens")
      .innerJoin("users", "users.id", "tokens.user_id")
      .select(["users.id", "users.account_id", "users.username", "users.restricted", "users.add_domains"])
      .select(["tokens.scopes", "tokens.expires"])
      .where("tokens.hash", "=", hashToken(token))
      .executeTakeFirst(),
  );
  if (row === undefined || (row.expires !== null && row.expires <= timestamp(now))) return undefined;
  return {
    userId: row.id,
    accountId: row.account_id,
    username: row.username,
    isRestricted: row.restricted === 1,
    addsDomains: row.restricted === 0 || row.add_domains === 1,
    scopes: parseScopes(row.scopes),
  };
}

/** @throws {ApiError} 401 for a caller without a token for this (service: Plumbing). */
export function authorize(caller: Caller | undefined, scope: Scope): void {
  if (caller === undefined) throw new ApiError(401, [{ reason: reasons.invalidToken }]);
  if (!allows(caller.scopes, scope)) throw new ApiError(401, [{ reason: reasons.scope }]);
}

/** What the store keeps of a token. SHA-256 without salt serves: a token is random and long, there is nothing to guess. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
