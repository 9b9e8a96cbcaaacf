import type { Rule } from "../lookup/rule.ts";
import { spfOf } from "../policies/spf.ts";
import { findVoidTerms } from "../policies/spf-includes.ts";

export const spfVoidLookup: Rule = {
  id: "spf-void-lookup",
  types: ["TXT"],
  *check(zone) {
    for (const { owner, records } of zone.sets("TXT")) {
      for (const record of records) {
        const policy = spfOf(record);
        for (const { text, name, value } of policy ? findVoidTerms(policy, owner, zone) : []) {
          if (value === undefined) continue; // many policies have "a mx", and such a lookup costs little
          yield {
            summary: `${zone.show(owner)} TXT: the SPF term "${text}" finds no ${name === "mx" ? "MX record" : "address"}`,
            at: record,
            fix: "Remove it, or correct the name.",
          };
        }
      }
    }
  },
};
