import { notFound } from "../api-error.ts";
import type { Context } from "../handlers.ts";
import * as domains from "../store/domains.ts";
import type { Database } from "../store/store.ts";
import type { DomainRow } from "../store/tables.ts";

/** The caller's domain of this id. @throws {ApiError} 404 when there is none, or when it is another account's. */
export async function ownDomain(db: Database, id: number, { caller }: Context): Promise<DomainRow> {
  const domain = await domains.find(db, caller.accountId, id);
  if (domain === undefined) throw notFound();
  return domain;
}
