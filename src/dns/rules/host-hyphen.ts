import type { Rule } from "../lookup/rule.ts";
import { labels } from "../name/name.ts";

export const hostHyphen: Rule = {
  id: "host-hyphen",
  types: ["A", "AAAA", "MX"],
  *check(zone) {
    for (const { owner, type, records } of zone.sets("A", "AAAA", "MX")) {
      if (!owner.includes("-")) continue;
      const label = labels(owner).find((label) => label.startsWith("-") || label.endsWith("-"));
      if (label === undefined) continue;
      const name = label.replace(/^-+|-+$/g, "");
      yield {
        summary: `${zone.show(owner)} ${type} has a label that ${label.startsWith("-") ? "starts" : "ends"} with a hyphen`,
        at: records[0],
        about: "owner",
        fix: `Write ${name === "" ? "a name of letters and digits" : `"${name}"`} instead.`,
      };
    }
  },
};
