import type { Rule } from "../lookup/rule.ts";
import { isAddress, mayBeAddress } from "../name/address.ts";
import { relativeTo } from "../name/name.ts";
import { targets } from "../zone/zone.ts";

/** Types whose RDATA is a name that resolvers look up in turn. */
const pointers = ["ALIAS", "CNAME", "DNAME", "MX", "NS", "SRV", "SVCB", "HTTPS"];

export const targetIsAddress: Rule = {
  id: "target-is-address",
  types: pointers,
  *check(zone) {
    for (const { owner, type, records } of zone.sets(...pointers)) {
      for (const record of records) {
        for (const target of targets(record)) {
          if (!mayBeAddress(target)) continue;
          const written = relativeTo(target, zone.zone.name).replace(/\.$/, "");
          if (!isAddress(written)) continue;
          yield {
            summary: `${zone.show(owner)} ${type} points to the address "${written}"`,
            at: record,
            fix: `Create an ${written.includes(":") ? "AAAA" : "A"} record for the address and point to its name.`,
          };
        }
      }
    }
  },
};
