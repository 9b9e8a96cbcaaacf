import { findNode, type LookupZone } from "../../dns/lookup/lookup.ts";
import { ancestors, type NameKey, parent } from "../../dns/name/name.ts";
import type { OwnerSets } from "../../dns/zone/owners.ts";
import type { RRset } from "../../dns/zone/zone.ts";

type ZoneByOwners = LookupZone<RRset, OwnerSets>;

/**
 * The owners whose records answer for a name of a zone: the name itself, or the wildcard that matches it; below a zone
 * cut or a DNAME record its owner, after the name itself if it has records, such as glue. Empty if the name does not
 * exist.
 */
export function answeringOwners(zone: ZoneByOwners, name: NameKey): NameKey[] {
  const node = findNode(zone, name, "A");
  if (node.kind === "nxdomain") return [];
  if (node.kind === "node") return hasRecords(node.sets) ? [node.owner] : [];
  const above = node.kind === "referral" ? node.cut : node.owner;
  return above !== name && hasRecords(zone.rrsets(name)) ? [name, above] : [above];
}

/**
 * For a name that a wildcard matches, its ancestor directly below the wildcard's parent: for `a.b.example.` and
 * `*.example.` it is `b.example.`. With the first record at or below that ancestor, the wildcard no longer matches any
 * name there.
 */
export function partBelowWildcard(zone: ZoneByOwners, name: NameKey): NameKey | undefined {
  const node = findNode(zone, name, "A");
  if (node.kind !== "node" || node.owner === name || !hasRecords(node.sets)) return undefined;
  return ancestors(name, parent(node.owner)).at(-1);
}

function hasRecords(sets: OwnerSets | undefined): boolean {
  return sets !== undefined && sets.values().length > 0;
}
