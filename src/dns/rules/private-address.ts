import type { Rule } from "../rule.ts";
import { specialBlock } from "../special-address.ts";

export const privateAddress: Rule = {
  id: "private-address",
  set: "practice",
  severity: "warning",
  why: "Private, loopback, multicast and other special-purpose addresses cannot be reached from the internet, and private ones reveal internal hosts (RFC 6890 and the IANA registries).",
  example: {
    ok: "records:\n  www: { A: 192.0.2.1 }",
    ko: "records:\n  intranet: { A: 10.0.0.1 }",
  },
  *check(zone) {
    for (const { owner, type, records } of zone.sets("A", "AAAA")) {
      for (const record of records) {
        const special = specialBlock(String(record.data.target));
        if (special === undefined) continue;
        yield {
          summary: `${zone.show(owner)} ${type} publishes the ${special.purpose} address ${record.data.target}`,
          at: record,
          fix: "Publish it in an internal zone instead.",
        };
      }
    }
  },
};
