import type { Rule } from "../lookup/rule.ts";

export const dsWithoutNs: Rule = {
  id: "ds-without-ns",
  types: ["DS"],
  *check(zone) {
    for (const { owner, records } of zone.sets("DS")) {
      if (zone.isApex(owner) || zone.has(owner, "NS") || zone.isInDoubt(owner, ["NS"])) continue;
      yield {
        summary: `${zone.show(owner)} has DS records, but is not delegated`,
        at: records[0],
        fix: "Add the NS records of the delegation, or remove the DS records.",
      };
    }
  },
};
