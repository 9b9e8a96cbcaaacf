import type { Endpoint } from "../../contract/endpoint.ts";
import { reasons } from "../../contract/errors.ts";
import { allows, type Scope } from "../../contract/scopes.ts";
import { hasAccountAccess } from "../kit/account.ts";
import { ApiError, unauthorized } from "../kit/api-error.ts";
import { admitOwner } from "../kit/callers.ts";
import type { Caller, Settings } from "../kit/context.ts";
import { timestamp } from "../kit/timestamp.ts";
import * as tokens from "../store/tokens.ts";

/**
 * The owner of the token in an `Authorization` header; undefined for a missing, unknown, expired or revoked one, and
 * for one of a closed account or of an OAuth client that is not active.
 */
export async function identify(
  settings: Pick<Settings, "store" | "jobKinds" | "dueWork">,
  authorization: string | null,
  now: Date,
): Promise<Caller | undefined> {
  const token = authorization?.match(/^Bearer +(\S+)$/i)?.[1];
  if (token === undefined) return undefined;
  const row = await settings.store.read((db) => tokens.find(db, token));
  const isExpired = row !== undefined && row.expires !== null && row.expires <= timestamp(now);
  return row === undefined || isExpired ? undefined : admitOwner(settings, row, row.scopes, now);
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
