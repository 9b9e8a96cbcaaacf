import { foreignOwners } from "../lookup/foreign-name.ts";
import type { Rule } from "../lookup/rule.ts";

export const ownerOfOtherDomain: Rule = {
  id: "owner-of-other-domain",
  *check(zone) {
    for (const { record, written } of foreignOwners(zone)) {
      yield {
        summary: `"${zone.show(record.owner)}" is relative and becomes "${record.owner}"`,
        at: record,
        about: "owner",
        fix: `Move it to the file of the zone that contains "${written}". If you mean "${record.owner}", write it with its final dot.`,
      };
    }
  },
};
