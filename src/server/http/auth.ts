import { reasons } from "../../contract/errors.ts";
import { allows, parseScopes, type Scope } from "../../contract/scopes.ts";
import { ApiError } from "../kit/api-error.ts";
import type { Caller } from "../kit/context.ts";
import { timestamp } from "../kit/timestamp.ts";
import type { Store } from "../store/store.ts";
import * as tokens from "../store/tokens.ts";

/** The owner of the token in an `Authorization` header; undefined for a missing, unknown, expired or revoked one. */
export async function identify(store: Store, authorization: string | null, now: Date): Promise<Caller | undefined> {
  const token = authorization?.match(/^Bearer +(\S+)$/i)?.[1];
  if (token === undefined) return undefined;
  const row = await store.read((db) => tokens.find(db, token));
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

/** @throws {ApiError} 401 for a caller without a valid token or without this scope (service: Plumbing). */
export function authorize(caller: Caller | undefined, scope: Scope): void {
  if (caller === undefined) throw new ApiError(401, [{ reason: reasons.invalidToken }]);
  if (!allows(caller.scopes, scope)) throw new ApiError(401, [{ reason: reasons.scope }]);
}
