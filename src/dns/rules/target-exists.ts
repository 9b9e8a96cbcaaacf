import { adviseMissing, isReverse } from "../lookup/find-address.ts";
import type { Rule } from "../lookup/rule.ts";
import { createTargetTest } from "../lookup/specific-targets.ts";
import { targets } from "../zone/zone.ts";

/** Types whose targets have to exist. Those of MX records have a rule of their own. */
const types = ["ALIAS", "CNAME", "NS", "SRV", "SVCB", "HTTPS"];

export const targetExists: Rule = {
  id: "target-exists",
  types: [...types, "PTR"],
  *check(zone) {
    const isReported = createTargetTest(zone);
    // In a reverse zone a relative target is almost always a mistake. Elsewhere PTR may lead anywhere (RFC 6763 §4.1).
    const dotless = new Set(zone.zone.dotlessTargets.map(({ name }) => name));
    for (const { owner, type, records } of zone.sets(...types, "PTR")) {
      for (const record of records) {
        for (const target of targets(record)) {
          if (!zone.isInside(target) || zone.answers(target) || isReported(record, target)) continue;
          if (type === "PTR" && !isReverse(zone) && !dotless.has(target)) continue;
          yield {
            summary: `${zone.show(owner)} ${type} points to "${zone.show(target)}", which does not exist in the zone`,
            at: record,
            fix: adviseMissing(zone, record, target),
          };
        }
      }
    }
  },
};
