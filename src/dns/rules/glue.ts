import type { Rule } from "../lookup/rule.ts";
import { isInside } from "../name/name.ts";
import { targets } from "../zone/zone.ts";

export const glue: Rule = {
  id: "glue",
  types: ["NS"],
  *check(zone) {
    for (const { owner, records } of zone.sets("NS")) {
      if (zone.isApex(owner)) continue;
      for (const record of records) {
        for (const target of targets(record)) {
          if (
            isInside(target, owner) &&
            !zone.has(target, "A") &&
            !zone.has(target, "AAAA") &&
            !zone.isInDoubt(target)
          ) {
            yield {
              summary: `${zone.show(owner)} is delegated to "${target}" without its address (glue)`,
              at: record,
              fix: `Add an A or AAAA record for "${zone.show(target)}".`,
            };
          }
        }
      }
    }
  },
};
