import { isInside } from "../name.ts";
import type { Rule } from "../rule.ts";
import { targets } from "../zone.ts";

export const glue: Rule = {
  id: "glue",
  set: "dns",
  severity: "error",
  why: "A delegation to a server inside the delegated zone cannot be followed without its address (RFC 1034 §4.2.1).",
  example: {
    ok: "records:\n  sub: { NS: [ns.sub, ns1.example.net.] }\n  ns.sub: { A: 192.0.2.53 }",
    ko: "records:\n  sub: { NS: [ns.sub, ns1.example.net.] }",
  },
  *check(zone) {
    for (const { owner, records } of zone.sets("NS")) {
      if (zone.isApex(owner)) continue;
      for (const record of records) {
        for (const target of targets(record)) {
          if (
            isInside(target, owner) &&
            !zone.has(target, "A") &&
            !zone.has(target, "AAAA") &&
            !zone.isInDoubt(target)
          ) {
            yield {
              summary: `${zone.show(owner)} is delegated to ${target} without its address`,
              at: record,
              fix: `Add an A or AAAA record for ${zone.show(target)}.`,
            };
          }
        }
      }
    }
  },
};
