import { type ApiErrorEntry, reasons } from "../../../contract/errors.ts";
import { isInside } from "../../../dns/name/name.ts";
import { isPublicSuffix } from "../../../dns/name/public-suffix.ts";
import { readAccountName } from "../../entities/accounts-rows.ts";
import type { Context } from "../../entities/context.ts";
import { permissionsOf } from "../../entities/grants-rows.ts";
import { errorEntry, unauthorized } from "../../kit/api-error.ts";
import { isHostname, longestName } from "../../kit/name.ts";
import { hasRow } from "../../store/rows.ts";
import type { Database } from "../../store/tables.ts";
import { readLongestName } from "../zones/records-rows.ts";
import { touchesAddresses } from "./address-zones.ts";
import { findDomainAbove, findDomainsBelow, type PlacedDomain } from "./domains-rows.ts";
import { toStoredName } from "./lookups.ts";

/**
 * Errors of a caller who wants a domain of this name (decisions/service#domains). A name is unique on the whole
 * platform, without regard to letter case (decisions/documents#domains). A domain answers for all names below it and
 * hides them from the domain above it, so no one gets one below or above a domain of another account. Whoever could
 * obtain certificates for `example.com` by a domain `_acme-challenge.example.com` must be allowed to write
 * `example.com`: a restricted user needs read_write on the nearest domain of the account above the new one, and on
 * those below it. In a write, call `domains.lockPlace` first.
 * @param id the domain to be renamed
 * @throws {Refusal} 403 for a restricted user without those grants
 */
export async function placeErrors(
  db: Database,
  domain: string,
  context: Context,
  id?: number,
): Promise<ApiErrorEntry[]> {
  const { caller, allowsPublicSuffixes, catalogZone } = context;
  if (!allowsPublicSuffixes && isPublicSuffix(domain)) return [errorEntry("domain", reasons.publicSuffix)];
  if (catalogZone !== undefined && isInside(toStoredName(domain), catalogZone))
    return [errorEntry("domain", reasons.zoneOfCatalog)];
  if (await isReserved(db, domain, context)) return [errorEntry("domain", reasons.zoneReserved)];
  if (await hasRow(db, "domains", { domain_key: domain.toLowerCase() }))
    return [errorEntry("domain", reasons.zoneExists)];
  const above = (await findDomainAbove(db, domain)).filter((other) => other.id !== id);
  const below = (await findDomainsBelow(db, domain)).filter((other) => other.id !== id);
  const isForeign = ({ account_id }: PlacedDomain) => account_id !== caller.accountId;
  if (above.some(isForeign)) return [errorEntry("domain", reasons.zoneBelowOther)];
  if (below.some(isForeign)) return [errorEntry("domain", reasons.zoneAroundOther)];
  if (caller.isRestricted)
    for (const other of [...above.slice(0, 1), ...below])
      if ((await permissionsOf(db, caller.userId, { entity_type: "domain", entity_id: other.id })) !== "read_write")
        throw unauthorized();
  return [];
}

/**
 * Whether a domain would answer for the addresses of nodes in place of the zones that are made from them, or lie above
 * these, and the operator has not given the caller's account that right.
 */
async function isReserved(db: Database, domain: string, { caller, catalog }: Context): Promise<boolean> {
  const name = domain.toLowerCase().replace(/^\*\./, "");
  if (!isHostname(name) || !touchesAddresses(toStoredName(name), catalog)) return false;
  return (await readAccountName(db, caller.accountId)) !== catalog.rdns_account;
}

/** Records keep their relative names under another domain, where they may become too long. */
export async function lengthErrors(db: Database, domain: string, id: number): Promise<ApiErrorEntry[]> {
  const fits = (await readLongestName(db, id)) + 1 + domain.length <= longestName;
  return fits ? [] : [errorEntry("domain", "Domain is too long for the names of its records.")];
}
