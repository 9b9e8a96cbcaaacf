import type { Rule } from "../lookup/rule.ts";
import { root } from "../name/name.ts";
import { distinct } from "../zone/zone.ts";

export const naptrSyntax: Rule = {
  id: "naptr-syntax",
  types: ["NAPTR"],
  *check(zone) {
    for (const { owner, records } of zone.sets("NAPTR")) {
      for (const record of distinct(records)) {
        const { regexp, replacement } = record.data;
        const about = `${zone.show(owner)} NAPTR`;
        if (regexp !== "" && replacement !== root)
          yield {
            summary: `${about} has an expression and a replacement`,
            at: record,
            fix: 'Write the replacement ".", or the expression "".',
          };
        else if (zone.isInside(replacement) && !zone.answers(replacement))
          yield {
            summary: `${about} leads to "${zone.show(replacement)}", which does not exist in the zone`,
            at: record,
            fix: `Add "${zone.show(replacement)}" to the zone, or change the replacement.`,
          };
      }
    }
  },
};
