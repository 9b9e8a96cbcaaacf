import { type Lookup, type LookupZone, lookUp, substituteName, toLookupZone } from "../../../../dns/lookup/lookup.ts";
import {
  ancestors,
  isInside,
  type Name,
  type NameKey,
  nameKey,
  readName,
  relativeTo,
  wildcardBelow,
  withoutDot,
} from "../../../../dns/name/name.ts";
import { byOwner, type OwnerSets } from "../../../../dns/zone/owners.ts";
import { isType, type RRset, targets, type ZoneRecord } from "../../../../dns/zone/zone.ts";
import { readBind } from "../../../../formats/bind/read.ts";
import { fromApi } from "../../../../targets/api/mapping.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import type { Database } from "../../../store/tables.ts";
import { addressOfDefaultName, zoneOfAddresses } from "../../domains/address-zones.ts";
import { findServingDomain, isDomainTaken, type ServingDomain } from "../../domains/domains-rows.ts";
import { toStoredName } from "../../domains/lookups.ts";
import { listRecordsAround } from "../../zones/records-rows.ts";
import { readTransferredLines } from "../../zones/slaves-rows.ts";
import { isAddressGiven } from "./addresses-rows.ts";

/** Maximum number of aliases that are followed, as the name server does. */
const mostAliases = 12;

/**
 * The addresses of a name as the zones of this server have them now, with changes that are not rendered yet. Aliases
 * are followed from zone to zone. `elsewhere` if the answer is up to other servers: outside of our zones, or below a
 * delegation. Zones that are made from the addresses of nodes are among ours. `now` is a timestamp, by which
 * transferred zones expire.
 */
export async function findAddresses(
  db: Database,
  name: Name,
  type: "A" | "AAAA",
  { now, catalog }: { readonly now: string; readonly catalog: Catalog },
): Promise<readonly string[] | "elsewhere"> {
  let owner = nameKey(name);
  for (let count = 0; count <= mostAliases; count++) {
    const domain = await findServingDomain(db, withoutDot(owner));
    const made = zoneOfAddresses(owner, catalog);
    if (made !== undefined && (domain === undefined || !isInside(toStoredName(domain.domain), made)))
      return (await isDomainTaken(db, withoutDot(made))) ? "elsewhere" : addressesByDefault(db, owner, type, catalog);
    if (domain === undefined) return "elsewhere";
    const zone =
      domain.type === "slave"
        ? await readTransferredPart(db, domain, owner, now)
        : await readStoredPart(db, domain, owner);
    const found = zone && lookUp(zone, owner, type);
    if (found?.kind === "answer") return found.set.records.flatMap(addressesOf);
    if (found?.kind === "referral") return "elsewhere";
    const next = found && aliasOf(found, owner);
    if (next === undefined) return [];
    owner = next;
  }
  return [];
}

/** The address whose default name this is, if a node has it. */
async function addressesByDefault(db: Database, name: Name, type: "A" | "AAAA", catalog: Catalog): Promise<string[]> {
  const address = addressOfDefaultName(name, catalog.rdns_domain);
  return type === "A" && address !== undefined && (await isAddressGiven(db, address)) ? [address] : [];
}

/** The name that a name stands for, by a CNAME record or by a DNAME record above it. */
function aliasOf(found: Lookup<RRset>, owner: NameKey): NameKey | undefined {
  if (found.kind === "alias") return found.cname.records.flatMap(targets).map(nameKey)[0];
  if (found.kind !== "renamed") return undefined;
  const [record] = found.dname.records;
  if (record === undefined || !isType(record, "DNAME")) return undefined;
  return substituteName({ owner: found.owner, target: nameKey(record.data.target) }, owner);
}

function addressesOf(record: ZoneRecord): string[] {
  return isType(record, "A") || isType(record, "AAAA") ? [record.data.address] : [];
}

type PartOfZone = LookupZone<RRset, OwnerSets>;

/** The part of a zone that a lookup of a name needs. */
async function readStoredPart(db: Database, { id, domain }: ServingDomain, name: Name): Promise<PartOfZone> {
  const origin = toStoredName(domain);
  const relative = (owner: Name) => (owner === nameKey(origin) ? "" : relativeTo(owner, nameKey(origin)));
  const above = [...ancestors(name, nameKey(origin)), nameKey(origin)];
  const rows = await listRecordsAround(db, id, {
    at: above.flatMap((owner) => [owner, wildcardBelow(owner)]).map(relative),
    below: above.map(relative),
  });
  return toLookupZone(nameKey(origin), byOwner(rows.map((row) => fromApi(row, origin))));
}

/** The part of a transferred zone; undefined if it was never transferred or has expired. */
async function readTransferredPart(
  db: Database,
  row: ServingDomain,
  name: Name,
  now: string,
): Promise<PartOfZone | undefined> {
  const origin = nameKey(toStoredName(row.domain));
  const lines = await readTransferredLines(db, row, now);
  if (lines.length === 0) return undefined;
  const head = lines.findIndex((line) => !/^[;$]/.test(line)) + 1;
  const above = [...ancestors(name, origin), origin];
  const isNear = (line: string) => {
    const owner = nameKey(readName(line.slice(0, line.search(/\s/)), origin));
    return above.some((one) => (one === origin ? owner === one || owner === wildcardBelow(one) : isInside(owner, one)));
  };
  const near = [...lines.slice(0, head), ...lines.slice(head).filter(isNear)];
  const bytes = Buffer.from(`${near.join("\n")}\n`);
  return toLookupZone(origin, byOwner(readBind({ file: row.domain, bytes, origin, settings: [] }).zone.records));
}
