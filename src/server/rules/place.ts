import { type ApiErrorEntry, reasons } from "../../contract/errors.ts";
import { isPublicSuffix } from "../../dns/public-suffix.ts";
import { errorEntry, unauthorized } from "../kit/api-error.ts";
import type { Context } from "../kit/context.ts";
import * as domains from "../store/domains.ts";
import { permissionsOf } from "../store/grants.ts";
import type { Database } from "../store/store.ts";

/**
 * Why the caller may not have a domain of this name (service: Domains). A name is unique on the whole platform, letter case
 * aside (second document, Domain). A domain answers for all names below it and takes them away from the domain around it, so
 * nobody gets one below or around a domain of another account. Whoever could obtain certificates for `example.com` by a
 * domain `_acme-challenge.example.com` must be allowed to write `example.com`: a restricted user needs read_write on the
 * nearest domain of the account around the new one, and on those below it. In a write, `domains.lockPlace` comes first.
 * @param id the domain that is to be renamed
 * @throws {ApiError} 403 for a restricted user without those grants
 */
export async function placeProblems(
  db: Database,
  domain: string,
  { caller, allowsPublicSuffixes }: Context,
  id?: number,
): Promise<ApiErrorEntry[]> {
  if (!allowsPublicSuffixes && isPublicSuffix(domain)) return [errorEntry("domain", reasons.publicSuffix)];
  if (await domains.isTaken(db, domain)) return [errorEntry("domain", reasons.zoneExists)];
  const around = (await domains.findAround(db, domain)).filter((other) => other.id !== id);
  const below = (await domains.findBelow(db, domain)).filter((other) => other.id !== id);
  const isForeign = ({ account_id }: domains.PlacedDomain) => account_id !== caller.accountId;
  if (around.some(isForeign)) return [errorEntry("domain", reasons.zoneBelowOther)];
  if (below.some(isForeign)) return [errorEntry("domain", reasons.zoneAroundOther)];
  if (caller.isRestricted)
    for (const other of [...around.slice(0, 1), ...below])
      if ((await permissionsOf(db, caller.userId, other.id)) !== "read_write") throw unauthorized();
  return [];
}
