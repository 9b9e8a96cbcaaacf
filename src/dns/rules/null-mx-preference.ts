import type { Rule } from "../lookup/rule.ts";
import { root } from "../name/name.ts";

export const nullMxPreference: Rule = {
  id: "null-mx-preference",
  types: ["MX"],
  *check(zone) {
    for (const { owner, records } of zone.sets("MX")) {
      const record = records.find(({ data }) => data.exchange === root && data.preference !== 0);
      if (record)
        yield {
          summary: `${zone.show(owner)} MX: the null MX has the preference ${record.data.preference}`,
          at: record,
          fix: 'Write "0 .".',
        };
    }
  },
};
