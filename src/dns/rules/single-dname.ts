import type { Rule } from "../lookup/rule.ts";
import { distinct } from "../zone/zone.ts";

export const singleDname: Rule = {
  id: "single-dname",
  types: ["DNAME"],
  *check(zone) {
    for (const { owner, records } of zone.sets("DNAME")) {
      const [, second] = distinct(records);
      if (second)
        yield { summary: `${zone.show(owner)} has more than one DNAME record`, at: second, fix: "Keep one of them." };
    }
  },
};
