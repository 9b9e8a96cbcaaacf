import type { Rule } from "../lookup/rule.ts";
import { root } from "../name/name.ts";
import { distinct } from "../zone/zone.ts";

export const nullSrvAlone: Rule = {
  id: "null-srv-alone",
  types: ["SRV"],
  *check(zone) {
    for (const { owner, records } of zone.sets("SRV")) {
      const record = records.find(({ data }) => data.target === root);
      if (record && distinct(records).some(({ data }) => data.target !== root))
        yield {
          summary: `${zone.show(owner)} SRV says that the service is not available, and names servers of it`,
          at: record,
          fix: 'Keep either the target "." or the others.',
        };
    }
  },
};
