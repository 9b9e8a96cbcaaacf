import { relativeTo } from "../name.ts";
import type { Rule } from "../rule.ts";
import { targets } from "../zone.ts";
import { isAddress } from "./target-is-address.ts";

export const ptrIsAddress: Rule = {
  id: "ptr-is-address",
  set: "dns",
  severity: "warning",
  why: "A PTR record stands at the name of an address in a reverse zone and points to the name of the host (RFC 1035 §3.5), not the other way round.",
  example: {
    ok: "records:\n  host: { A: 192.0.2.4 }",
    ko: "records:\n  host: { PTR: 192.0.2.4 }",
  },
  *check(zone) {
    for (const { owner, records } of zone.sets("PTR")) {
      for (const record of records) {
        for (const target of targets(record)) {
          const written = relativeTo(target, zone.zone.name).replace(/\.$/, "");
          if (!isAddress(written)) continue;
          yield {
            summary: `${zone.show(owner)} PTR points to the address ${written}`,
            at: record,
            fix: `Write ${written.includes(":") ? "AAAA" : "A"} for PTR if the name has this address. A PTR record belongs in the reverse zone of the address.`,
          };
        }
      }
    }
  },
};
