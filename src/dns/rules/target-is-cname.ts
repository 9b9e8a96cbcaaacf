import type { Rule } from "../rule.ts";
import { targets } from "../zone.ts";

export const targetIsCname: Rule = {
  id: "target-is-cname",
  set: "dns",
  severity: "warning",
  why: "MX, NS and SRV point to a name with addresses, not to an alias (RFC 2181 §10.3, RFC 2782).",
  example: {
    ok: 'records:\n  "@": { MX: 10 mail.example.net. }',
    ko: 'records:\n  "@": { MX: 10 mail }\n  mail: { CNAME: mail.example.net. }',
  },
  *check(zone) {
    for (const { owner, type, records } of zone.sets("MX", "NS", "SRV")) {
      for (const record of records) {
        for (const target of targets(record)) {
          if (!zone.has(target, "CNAME")) continue;
          yield {
            summary: `${zone.show(owner)} ${type} points to ${zone.show(target)}, which is a CNAME`,
            at: record,
            fix: "Point to the name that the CNAME stands for.",
          };
        }
      }
    }
  },
};
