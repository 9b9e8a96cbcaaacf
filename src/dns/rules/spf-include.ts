import { spfOf } from "../policies/spf.ts";
import { findFaultyIncludes } from "../policies/spf-includes.ts";
import type { Rule } from "../rule.ts";

export const spfInclude: Rule = {
  id: "spf-include",
  *check(zone) {
    for (const { owner, records } of zone.sets("TXT")) {
      for (const record of records) {
        const policy = spfOf(record);
        if (!policy) continue;
        for (const { text, summary, fix } of findFaultyIncludes(policy, owner, (name) =>
          zone.isInside(name) ? zone : undefined,
        ))
          yield { summary: `${zone.show(owner)} TXT: the SPF term "${text}" ${summary}`, at: record, fix };
      }
    }
  },
};
