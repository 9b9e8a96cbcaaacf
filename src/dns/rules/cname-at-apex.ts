import type { Rule } from "../rule.ts";

export const cnameAtApex: Rule = {
  id: "cname-at-apex",
  set: "dns",
  severity: "error",
  why: "The zone's own name holds SOA and NS, so it cannot be an alias (RFC 1912 §2.4).",
  example: {
    ok: 'records:\n  "@": { A: 192.0.2.1 }',
    ko: 'records:\n  "@": { CNAME: shop.example.net. }',
  },
  *check(zone) {
    for (const { owner, records } of zone.sets("CNAME")) {
      if (zone.isApex(owner)) {
        yield {
          summary: "a CNAME stands at the zone's own name",
          at: records[0],
          about: "owner",
          fix: "Write the A and AAAA records of the target here.",
        };
      }
    }
  },
};
