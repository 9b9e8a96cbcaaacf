import { labels } from "../name.ts";
import type { Rule } from "../rule.ts";

export const underscoreHost: Rule = {
  id: "underscore-host",
  set: "practice",
  severity: "warning",
  why: "Hosts and mail names have letters, digits and hyphens; many programs refuse an underscore there (RFC 1123 §2.1).",
  example: {
    ok: "records:\n  my-shop: { A: 192.0.2.1 }",
    ko: "records:\n  my_shop: { A: 192.0.2.1 }",
  },
  *check(zone) {
    for (const { owner, type, records } of zone.sets("A", "AAAA", "MX")) {
      if (!labels(owner).some((label) => label.includes("_"))) continue;
      yield {
        summary: `${zone.show(owner)} ${type} has an underscore in its name`,
        at: records[0],
        about: "owner",
        fix: "Use a hyphen.",
      };
    }
  },
};
