import type { Rule } from "../lookup/rule.ts";
import { distinct } from "../zone/zone.ts";

export const singleNameServer: Rule = {
  id: "single-name-server",
  types: ["NS"],
  *check(zone) {
    for (const { owner, records } of zone.sets("NS")) {
      if (zone.isApex(owner) || distinct(records).length > 1 || zone.isInDoubt(owner, ["NS"])) continue;
      yield {
        summary: `${zone.show(owner)} is delegated to only one name server`,
        at: records[0],
        fix: "Add a second name server in another network.",
      };
    }
  },
};
