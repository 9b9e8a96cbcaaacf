import type { Rule } from "../rule.ts";

export const wildcardNs: Rule = {
  id: "wildcard-ns",
  set: "dns",
  severity: "error",
  why: "A wildcard cannot be delegated: servers disagree on what it means (RFC 4592 §4.2).",
  example: {
    ok: "records:\n  sub: { NS: [ns1.example.net., ns2.example.net.] }",
    ko: 'records:\n  "*.sub": { NS: [ns1.example.net., ns2.example.net.] }',
  },
  *check(zone) {
    for (const { owner, records } of zone.sets("NS")) {
      if (owner.startsWith("*.")) {
        yield {
          summary: `${zone.show(owner)} delegates a wildcard`,
          at: records[0],
          about: "owner",
          fix: "Delegate each name.",
        };
      }
    }
  },
};
