import type { Rule } from "../lookup/rule.ts";

export const cnameAtApex: Rule = {
  id: "cname-at-apex",
  types: ["CNAME"],
  *check(zone) {
    for (const { owner, records } of zone.sets("CNAME")) {
      if (zone.isApex(owner)) {
        yield {
          summary: "the apex of the zone has a CNAME record",
          at: records[0],
          about: "owner",
          fix: "Write the A and AAAA records of the target here instead.",
        };
      }
    }
  },
};
