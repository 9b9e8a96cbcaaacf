import type { Rule } from "../lookup/rule.ts";
import { isWildcard } from "../name/name.ts";

export const wildcardNs: Rule = {
  id: "wildcard-ns",
  types: ["NS"],
  *check(zone) {
    for (const { owner, records } of zone.sets("NS")) {
      if (isWildcard(owner)) {
        yield {
          summary: `${zone.show(owner)} delegates a wildcard`,
          at: records[0],
          about: "owner",
          fix: "Delegate each name separately.",
        };
      }
    }
  },
};
