import type { Rule } from "../lookup/rule.ts";
import { labels } from "../name/name.ts";

export const underscoreHost: Rule = {
  id: "underscore-host",
  types: ["A", "AAAA", "MX"],
  *check(zone) {
    for (const { owner, type, records } of zone.sets("A", "AAAA", "MX")) {
      if (!owner.includes("_") || !labels(owner).some((label) => label.includes("_"))) continue;
      yield {
        summary: `${zone.show(owner)} ${type} has an underscore in its name`,
        at: records[0],
        about: "owner",
        fix: "Use a hyphen.",
      };
    }
  },
};
