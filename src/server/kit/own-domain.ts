import * as domains from "../store/domains.ts";
import { permissionsOf } from "../store/grants.ts";
import type { Database } from "../store/store.ts";
import type { DomainRow, Permissions } from "../store/tables.ts";
import { notFound, unauthorized } from "./api-error.ts";
import type { Context } from "./context.ts";

/**
 * The caller's domain of this id, locked in a write.
 * @throws {ApiError} 404 when there is none, or when it is another account's; 403 for a restricted user whose grant on it
 * does not go as far as `needed`.
 */
export async function ownDomain(
  db: Database,
  id: number,
  { caller }: Context,
  needed: Permissions = "read_only",
): Promise<DomainRow> {
  const domain = await domains.find(db, caller.accountId, id);
  if (domain === undefined) throw notFound();
  if (!caller.isRestricted) return domain;
  const permissions = await permissionsOf(db, caller.userId, id);
  if (permissions !== "read_write" && permissions !== needed) throw unauthorized();
  return domain;
}
