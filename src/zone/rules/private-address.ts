import { isPrivate } from "../address.ts";
import type { Rule } from "../rule.ts";

export const privateAddress: Rule = {
  id: "private-address",
  set: "practice",
  severity: "warning",
  why: "Private and loopback addresses mean nothing outside their network, and show what is inside it (RFC 6890).",
  example: {
    ok: "records:\n  www: { A: 192.0.2.1 }",
    ko: "records:\n  intranet: { A: 10.0.0.1 }",
  },
  *check(zone) {
    for (const { owner, type, records } of zone.sets("A", "AAAA")) {
      for (const record of records) {
        if (!isPrivate(String(record.data.target))) continue;
        yield {
          summary: `${zone.show(owner)} ${type} publishes the private address ${record.data.target}`,
          at: record,
          fix: "Publish it in an internal zone instead.",
        };
      }
    }
  },
};
