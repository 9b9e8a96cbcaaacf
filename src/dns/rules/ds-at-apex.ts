import type { Rule } from "../lookup/rule.ts";

export const dsAtApex: Rule = {
  id: "ds-at-apex",
  types: ["DS"],
  *check(zone) {
    for (const { owner, records } of zone.sets("DS")) {
      if (zone.isApex(owner)) {
        yield {
          summary: "the apex of the zone has a DS record",
          at: records[0],
          about: "owner",
          fix: "Move it to the parent zone: send it to the registrar of the domain, or to whoever manages that zone.",
        };
      }
    }
  },
};
