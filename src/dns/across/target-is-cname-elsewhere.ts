import type { AcrossRule } from "../lookup/rule.ts";
import { targets } from "../zone/zone.ts";

export const targetIsCnameElsewhere: AcrossRule = {
  id: "target-is-cname-elsewhere",
  *check(zone, zones) {
    for (const { owner, type, records } of zone.sets("MX", "NS", "SRV")) {
      for (const record of records) {
        for (const target of targets(record)) {
          const other = zones.of(target);
          if (!other || other === zone || !other.findSets(target, "A")?.has("CNAME")) continue;
          yield {
            summary: `${zone.show(owner)} ${type} points to "${target}", which is a CNAME in the zone "${other.zone.name}"`,
            at: record,
            fix: "Point to the target of the CNAME.",
          };
        }
      }
    }
  },
};
