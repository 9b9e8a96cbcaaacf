import { looksAbsolute, type Name, nameKey, spellName } from "../../dns/name.ts";
import { ownersOf } from "../../dns/owners.ts";
import type { SpellName } from "../../dns/rdata/field.ts";
import type { Zone } from "../../dns/zone.ts";

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
