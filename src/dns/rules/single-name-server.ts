import type { Rule } from "../rule.ts";
import { distinct } from "../zone.ts";

export const singleNameServer: Rule = {
  id: "single-name-server",
  set: "practice",
  severity: "warning",
  why: "A delegation has at least two name servers (RFC 1034 §4.1, RFC 2182 §5): with one, the zone is gone when that server is.",
  example: {
    ok: "records:\n  sub: { NS: [ns1.example.net., ns2.example.org.] }",
    ko: "records:\n  sub: { NS: ns1.example.net. }",
  },
  *check(zone) {
    for (const { owner, records } of zone.sets("NS")) {
      if (zone.isApex(owner) || distinct(records).length > 1 || zone.isInDoubt(owner)) continue;
      yield {
        summary: `${zone.show(owner)} is delegated to one name server`,
        at: records[0],
        fix: "Add a second name server, on another network.",
      };
    }
  },
};
