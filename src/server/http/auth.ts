import type { Endpoint } from "../../contract/endpoint.ts";
import { reasons } from "../../contract/errors.ts";
import { allows, parseScopes, type Scope } from "../../contract/scopes.ts";
import { hasAccountAccess } from "../kit/account.ts";
import { ApiError, unauthorized } from "../kit/api-error.ts";
import type { Caller, Settings } from "../kit/context.ts";
import { settle } from "../kit/jobs.ts";
import { timestamp } from "../kit/timestamp.ts";
import { yieldToEventLoop } from "../store/event-loop.ts";
import * as tokens from "../store/tokens.ts";

/**
 * The owner of the token in an `Authorization` header; undefined for a missing, unknown, expired or revoked one, and
 * for one of a closed account. What has become due in the account is settled first, because nothing waits for a timer.
 */
export async function identify(
  { store, jobKinds }: Pick<Settings, "store" | "jobKinds">,
  authorization: string | null,
  now: Date,
): Promise<Caller | undefined> {
  const token = authorization?.match(/^Bearer +(\S+)$/i)?.[1];
  if (token === undefined) return undefined;
  const row = await store.read((db) => tokens.find(db, token));
  if (row === undefined || row.closed !== null) return undefined;
  if (row.expires !== null && row.expires <= timestamp(now)) return undefined;
  if (row.due !== null && row.due <= timestamp(now)) await settleAccount({ store, jobKinds }, row.account_id, now);
  return {
    userId: row.id,
    accountId: row.account_id,
    username: row.username,
    isRestricted: row.restricted === 1,
    addsDomains: row.restricted === 0 || row.add_domains === 1,
    accountAccess: row.account_access,
    scopes: parseScopes(row.scopes),
  };
}

/** Settles in several transactions, so that others do not wait for all of it. */
async function settleAccount({ store, jobKinds }: Pick<Settings, "store" | "jobKinds">, id: number, now: Date) {
  while (await store.write((db) => settle(db, id, now, jobKinds))) await yieldToEventLoop();
}

/**
 * @throws {ApiError} 401 for a caller without a valid token or without the scope, 403 for a user whom the endpoint does
 * not admit (service: Plumbing; account: Endpoints).
 */
export function authorize(caller: Caller | undefined, scope: Scope, who?: Endpoint["who"]): void {
  if (caller === undefined) throw new ApiError(401, [{ reason: reasons.invalidToken }]);
  if (!allows(caller.scopes, scope)) throw new ApiError(401, [{ reason: reasons.scope }]);
  if (who === undefined || !caller.isRestricted) return;
  if (who === "unrestricted" || !hasAccountAccess(caller, scope)) throw unauthorized();
}
