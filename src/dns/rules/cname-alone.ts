import { besideCname } from "../lookup/lookup.ts";
import type { Rule } from "../lookup/rule.ts";
import { distinct } from "../zone/zone.ts";

export const cnameAlone: Rule = {
  id: "cname-alone",
  types: ["CNAME"],
  *check(zone) {
    for (const { owner, records } of zone.sets("CNAME")) {
      if (zone.isApex(owner)) continue; // reported by another rule
      const [, second] = distinct(records);
      if (second)
        yield { summary: `${zone.show(owner)} has more than one CNAME record`, at: second, fix: "Keep one of them." };
      const others = [...(zone.owners.get(owner)?.keys() ?? [])].filter(
        (type) => type !== "CNAME" && !besideCname.has(type),
      );
      if (others.length > 0) {
        yield {
          summary: `${zone.show(owner)} has a CNAME and other records (${others.join(", ")})`,
          at: records[0],
          fix: "Keep either the CNAME or the other records, or move one of them to another name.",
        };
      }
    }
  },
};
