import { lookUp } from "../lookup/lookup.ts";
import type { AcrossRule } from "../lookup/rule.ts";

/** Types that the parent zone has at the apex of the child zone (RFC 4035 §2.6). */
const ofParent = ["NS", "DS"];

export const hiddenByZone: AcrossRule = {
  id: "hidden-by-zone",
  *check(zone, zones) {
    for (const [owner, sets] of zone.owners) {
      // Records that a delegation hides concern this zone alone.
      if (zone.delegation(owner) !== undefined) continue;
      const other = zones.findServed(owner);
      // If the zone itself is not served, the nearest served zone may be above it.
      if (!other || other === zone || other.zone.name.length <= zone.zone.name.length) continue;
      for (const { type, records } of sets.values()) {
        if (ofParent.includes(type)) continue;
        const found = lookUp(other, owner, type);
        if (found.kind !== "nodata" && found.kind !== "nxdomain") continue;
        yield {
          summary: `${zone.show(owner)} ${type} is hidden by the zone "${other.zone.name}", which has no such record`,
          at: records[0],
          about: "owner",
          fix: `Move it to "${other.zone.file ?? other.zone.name}" as "${other.show(owner)}", or remove it.`,
        };
      }
    }
  },
};
