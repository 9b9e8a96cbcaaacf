import { cutOf, nearestZone } from "../../dns/lookup/lookup.ts";
import { type NameKey, nameKey, sortKey } from "../../dns/name/name.ts";
import type { Owners } from "../../dns/zone/owners.ts";
import { targets } from "../../dns/zone/zone.ts";
import { addToList } from "../changes/add-to-list.ts";
import type { PointerTo } from "../risk/guard.ts";

/** Whether the nearest zone of a name has records there, without a delegation at or above the name. */
export function hasOwnRecords(zones: ReadonlyMap<NameKey, Owners>, name: NameKey): boolean {
  const zone = nearestZone(name, (apex) => {
    const owners = zones.get(apex);
    return owners && { apex, owners };
  });
  if (zone?.owners.has(name) !== true) return false;
  return cutOf(zone.apex, name, (at) => zone.owners.get(at)?.has("NS") === true) === undefined;
}

/** The records that point to each name, in no particular order. */
export function pointersIn(zones: Iterable<Owners>): Map<NameKey, PointerTo[]> {
  const found = new Map<NameKey, PointerTo[]>();
  for (const owners of zones)
    for (const [owner, sets] of owners)
      for (const { type, records } of sets.values())
        for (const target of records.flatMap(targets)) addToList(found, nameKey(target), { owner, type });
  return found;
}

/** The delegations by the names of their servers. */
export function delegationsIn(zones: Iterable<Owners>): Map<NameKey, NameKey[]> {
  const found = new Map<NameKey, NameKey[]>();
  for (const owners of zones)
    for (const [owner, sets] of owners)
      for (const server of sets.get("NS")?.records.flatMap(targets) ?? []) addToList(found, nameKey(server), owner);
  return found;
}

/** Distinct pointers by owner. */
export function sortPointers(pointers: readonly PointerTo[]): PointerTo[] {
  return [...new Map(pointers.map((pointer) => [`${pointer.owner} ${pointer.type}`, pointer])).values()]
    .map((pointer) => ({ pointer, key: sortKey(pointer.owner) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ pointer }) => pointer);
}
