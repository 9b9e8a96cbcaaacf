import type { Rule } from "../lookup/rule.ts";
import { targets } from "../zone/zone.ts";

export const targetIsCname: Rule = {
  id: "target-is-cname",
  types: ["MX", "NS", "SRV"],
  *check(zone) {
    for (const { owner, type, records } of zone.sets("MX", "NS", "SRV")) {
      for (const record of records) {
        for (const target of targets(record)) {
          if (!zone.findSets(target, "A")?.has("CNAME")) continue;
          yield {
            summary: `${zone.show(owner)} ${type} points to "${zone.show(target)}", which is a CNAME`,
            at: record,
            fix: "Point to the target of the CNAME.",
          };
        }
      }
    }
  },
};
