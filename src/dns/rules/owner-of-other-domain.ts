import { foreignOwners } from "../foreign-name.ts";
import type { Rule } from "../rule.ts";

export const ownerOfOtherDomain: Rule = {
  id: "owner-of-other-domain",
  set: "practice",
  severity: "warning",
  why: "An owner without a final dot is completed with the zone (RFC 1035 §5.1); this one reads like a name of another domain.",
  example: {
    ok: "records:\n  www: { A: 192.0.2.1 }",
    ko: "records:\n  www.example.net: { A: 192.0.2.1 }",
  },
  *check(zone) {
    for (const { record, written } of foreignOwners(zone)) {
      yield {
        summary: `${zone.show(record.owner)} becomes ${record.owner}`,
        at: record,
        about: "owner",
        fix: `Move it to the file of the zone that ${written} belongs to. If ${record.owner} is meant, write it with its final dot.`,
      };
    }
  },
};
