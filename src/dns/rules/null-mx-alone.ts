import type { Rule } from "../lookup/rule.ts";
import { root } from "../name/name.ts";
import { distinct } from "../zone/zone.ts";

export const nullMxAlone: Rule = {
  id: "null-mx-alone",
  types: ["MX"],
  *check(zone) {
    for (const { owner, records } of zone.sets("MX")) {
      const nullMx = records.find(({ data }) => data.exchange === root);
      if (nullMx && distinct(records).length > 1) {
        yield {
          summary: `${zone.show(owner)} has a null MX and other MX records`,
          at: nullMx,
          fix: "Keep either the null MX or the others.",
        };
      }
    }
  },
};
