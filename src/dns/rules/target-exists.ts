import { isAddress } from "../address.ts";
import { hostIn, isHostReported } from "../host-in-target.ts";
import type { Rule } from "../rule.ts";
import { targets } from "../zone.ts";

export const targetExists: Rule = {
  id: "target-exists",
  *check(zone) {
    const mistyped = new Set(zone.zone.dotlessTargets.map(({ name }) => name));
    // In a reverse zone the relative target of a PTR record is almost always a mistake; elsewhere it may be intended.
    const isReverse = /(?:^|\.)(?:in-addr|ip6)\.arpa\.$/i.test(zone.zone.name);
    for (const { owner, type, records } of zone.sets("CNAME", "MX", "NS", "SRV", ...(isReverse ? ["PTR"] : []))) {
      for (const record of records) {
        for (const target of targets(record)) {
          if (!zone.isInside(target) || zone.answers(target)) continue;
          // Other rules are more specific.
          if (mistyped.has(target) || isAddress(zone.show(target))) continue;
          if (isHostReported(record, zone.zone) && hostIn(target, zone.zone)) continue;
          yield {
            summary: `${zone.show(owner)} ${type} points to "${zone.show(target)}", which does not exist in the zone`,
            at: record,
            fix:
              type === "PTR"
                ? `Write the full name of the host with its final dot, such as "${zone.show(target)}.example.net.".`
                : `Add "${zone.show(target)}" to the zone, or change the target.`,
          };
        }
      }
    }
  },
};
