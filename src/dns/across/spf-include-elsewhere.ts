import { spfOf } from "../policies/spf.ts";
import { findFaultyIncludes } from "../policies/spf-includes.ts";
import type { AcrossRule } from "../rule.ts";

export const spfIncludeElsewhere: AcrossRule = {
  id: "spf-include-elsewhere",
  *check(zone, zones) {
    for (const { owner, records } of zone.sets("TXT")) {
      for (const record of records) {
        const policy = spfOf(record);
        if (!policy) continue;
        for (const { text, summary, fix, zone: answering } of findFaultyIncludes(policy, owner, (name) =>
          zones.of(name),
        ))
          if (answering && answering !== zone)
            yield { summary: `${zone.show(owner)} TXT: the SPF term "${text}" ${summary}`, at: record, fix };
      }
    }
  },
};
