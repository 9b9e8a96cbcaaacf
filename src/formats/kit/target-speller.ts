import { indexZone } from "../../dns/lookup/rule.ts";
import { findDoubtful } from "../../dns/lookup/target-dot.ts";
import { looksAbsolute, type Name, nameKey, spellName } from "../../dns/name/name.ts";
import type { SpellName } from "../../dns/rdata/field.ts";
import { ownersOf } from "../../dns/zone/owners.ts";
import type { DotlessTarget, Zone } from "../../dns/zone/zone.ts";

/**
 * Spells the names in the data of a zone's records for a place with this origin: relative inside it, but absolute where
 * a reader would look for a missing final dot, because the name has several labels and no records.
 */
export function targetSpeller({ name: zone, records }: Pick<Zone, "name" | "records">, origin: Name = zone): SpellName {
  return (name) => {
    const written = spellName(name, origin);
    return looksAbsolute(written) && !ownersOf(records).has(nameKey(name)) ? name : written;
  };
}

/**
 * Spells the names in the data of a set for its zone's own origin. A target that lacks its final dot in the file that
 * the zone was read from stays relative: written absolutely, the mistake would be valid data.
 * `records` are those that are written.
 */
export function setSpeller(
  zone: Zone,
  records = zone.records,
): (set: Pick<DotlessTarget, "owner" | "type">) => SpellName {
  const spell = targetSpeller({ name: zone.name, records });
  if (zone.dotlessTargets.length === 0) return () => spell;
  const keyOf = ({ owner, type, name }: Pick<DotlessTarget, "owner" | "type" | "name">) =>
    `${nameKey(owner)} ${type} ${nameKey(name)}`;
  const doubtful = new Set(findDoubtful(indexZone(zone)).map(keyOf));
  return (set) => (name) => (doubtful.has(keyOf({ ...set, name })) ? spellName(name, zone.name) : spell(name));
}
