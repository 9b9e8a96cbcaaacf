import type { Rule } from "../lookup/rule.ts";
import { asName, isInside, labels, relativeTo } from "../name/name.ts";

export const zoneNameTwice: Rule = {
  id: "zone-name-twice",
  *check(zone) {
    const { name } = zone.zone;
    if (labels(name).length < 2) return;
    for (const [owner, types] of zone.owners) {
      if (!owner.endsWith(`${zone.apex}${zone.apex}`)) continue;
      const written = relativeTo(owner, zone.apex);
      const absolute = asName(`${written}.`);
      if (!isInside(absolute, name)) continue;
      yield {
        summary: `"${owner}" ends in the name of the zone twice`,
        at: [...types.values()][0]?.records[0],
        about: "owner",
        fix: `Write "${absolute}" with its final dot, or "${relativeTo(absolute, name)}".`,
      };
    }
  },
};
