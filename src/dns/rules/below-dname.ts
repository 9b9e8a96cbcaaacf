import type { Rule } from "../lookup/rule.ts";
import { ancestors } from "../name/name.ts";

export const belowDname: Rule = {
  id: "below-dname",
  types: ["DNAME"],
  *check(zone) {
    for (const [owner, types] of zone.owners) {
      const [, ...above] = [...ancestors(owner, zone.apex), zone.apex];
      const dname = owner === zone.apex ? undefined : above.find((name) => zone.owners.get(name)?.has("DNAME"));
      if (dname === undefined) continue;
      for (const { type, records } of types.values())
        yield {
          summary: `${zone.show(owner)} ${type} is below the DNAME "${zone.show(dname)}"`,
          at: records[0],
          about: "owner",
          fix: "Move it to the target of the DNAME, or remove it.",
        };
    }
  },
};
