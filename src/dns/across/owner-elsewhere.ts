import { foreignOwners, isAbsolute } from "../lookup/foreign-name.ts";
import type { AcrossRule } from "../lookup/rule.ts";
import { asName, isInside, relativeTo } from "../name/name.ts";

export const ownerElsewhere: AcrossRule = {
  id: "owner-elsewhere",
  *check(zone, zones) {
    const known = new Set(foreignOwners(zone).map(({ record }) => record));
    for (const [owner, types] of zone.owners) {
      const written = relativeTo(owner, zone.apex);
      const other = written.includes(".") && !written.endsWith(".") ? zones.of(asName(`${written}.`)) : undefined;
      const record = [...types.values()][0]?.records[0];
      // Another rule reports owners that end in the name of their own zone.
      if (
        !record ||
        !other ||
        other === zone ||
        known.has(record) ||
        isAbsolute(record) ||
        isInside(asName(`${written}.`), zone.zone.name)
      )
        continue;
      yield {
        summary: `"${zone.show(owner)}" is relative and becomes "${owner}"`,
        at: record,
        about: "owner",
        fix: `Move it to "${other.zone.file ?? other.zone.name}". If you mean "${owner}", write it with its final dot.`,
      };
    }
  },
};
