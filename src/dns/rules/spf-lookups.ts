import { spfOf } from "../policies/spf.ts";
import { countLookups, mostLookups } from "../policies/spf-lookups.ts";
import type { Rule } from "../rule.ts";

export const spfLookups: Rule = {
  id: "spf-lookups",
  *check(zone) {
    for (const { owner, records } of zone.sets("TXT")) {
      for (const record of records) {
        const policy = spfOf(record);
        const count = policy
          ? countLookups(policy, (name) => (zone.isInside(name) ? zone : undefined), new Set([owner]))
          : 0;
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
