import type { AcrossRule } from "../lookup/rule.ts";
import { spfOf } from "../policies/spf.ts";
import { countLookups, mostLookups } from "../policies/spf-lookups.ts";

export const spfLookupsElsewhere: AcrossRule = {
  id: "spf-lookups-elsewhere",
  *check(zone, zones) {
    for (const { owner, records } of zone.sets("TXT")) {
      for (const record of records) {
        const policy = spfOf(record);
        if (!policy) continue;
        const seen = new Set([owner]);
        const own = countLookups(policy, (name) => (zone.isInside(name) ? zone : undefined), seen);
        const count = own > mostLookups ? 0 : countLookups(policy, (name) => zones.of(name), seen);
        if (count <= mostLookups) continue;
        yield {
          summary: `${zone.show(owner)} TXT: the SPF record and the records that it includes need at least ${count} DNS lookups; the limit is ${mostLookups}`,
          at: record,
          fix: "Replace names with addresses (ip4, ip6), or remove services that no longer send mail.",
        };
      }
    }
  },
};
