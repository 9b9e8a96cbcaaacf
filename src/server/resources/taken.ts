import { type ApiErrorEntry, reasons } from "../../contract/errors.ts";
import { problem } from "../api-error.ts";
import type { Context } from "../handlers.ts";
import * as domains from "../store/domains.ts";
import type { Database } from "../store/store.ts";

/**
 * Why the caller may not have a domain of this name. It is unique on the whole platform, letter case aside (second document,
 * Domain). Below a domain of another account it would answer for names that are theirs.
 */
export async function takenProblems(db: Database, domain: string, { caller }: Context): Promise<ApiErrorEntry[]> {
  if (await domains.isTaken(db, domain)) return [problem("domain", reasons.zoneExists)];
  return (await domains.isBelowOther(db, domain, caller.accountId)) ? [problem("domain", reasons.zoneBelowOther)] : [];
}
