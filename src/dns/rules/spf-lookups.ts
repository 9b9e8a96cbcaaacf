import type { Rule } from "../lookup/rule.ts";
import { spfOf } from "../policies/spf.ts";
import { findVoidTerms } from "../policies/spf-includes.ts";
import { countLookups, mostLookups } from "../policies/spf-lookups.ts";

/** The maximum number of lookups that find nothing (RFC 7208 §4.6.4). */
const mostVoid = 2;

export const spfLookups: Rule = {
  id: "spf-lookups",
  types: ["TXT"],
  *check(zone) {
    for (const { owner, records } of zone.sets("TXT")) {
      for (const record of records) {
        const policy = spfOf(record);
        if (!policy) continue;
        const empty = findVoidTerms(policy, owner, zone).length;
        if (empty > mostVoid)
          yield {
            summary: `${zone.show(owner)} TXT: ${empty} DNS lookups of the SPF record find nothing; the limit is ${mostVoid}`,
            at: record,
            fix: "Remove the terms that find nothing, or correct their names.",
          };
        const count = countLookups(policy, (name) => (zone.isInside(name) ? zone : undefined), new Set([owner]));
        if (count <= mostLookups) continue;
        yield {
          summary: `${zone.show(owner)} TXT: the SPF record needs at least ${count} DNS lookups; the limit is ${mostLookups}`,
          at: record,
          fix: "Replace names with addresses (ip4, ip6), or remove services that no longer send mail.",
        };
      }
    }
  },
};
