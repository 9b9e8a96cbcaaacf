import type { Rule } from "../rule.ts";

export const targetNeedsDot: Rule = {
  id: "target-needs-dot",
  set: "dns",
  severity: "error",
  why: "A name without a final dot is completed with the zone (RFC 1035 §5.1), and the result is not in this zone.",
  *check(zone) {
    for (const { name, written, at } of zone.zone.dotlessTargets) {
      if (zone.answers(name)) continue;
      yield {
        summary: `${written} has no final dot and becomes ${name}`,
        at,
        fix: `Write ${written}. for the name as it stands, or ${name} if the zone's own name is meant.`,
      };
    }
  },
};
