import type { Rule } from "../lookup/rule.ts";
import { isAddress, mayBeAddress } from "../name/address.ts";
import { relativeTo } from "../name/name.ts";
import { targets } from "../zone/zone.ts";

export const ptrIsAddress: Rule = {
  id: "ptr-is-address",
  types: ["PTR"],
  *check(zone) {
    for (const { owner, records } of zone.sets("PTR")) {
      for (const record of records) {
        for (const target of targets(record)) {
          if (!mayBeAddress(target)) continue;
          const written = relativeTo(target, zone.zone.name).replace(/\.$/, "");
          if (!isAddress(written)) continue;
          yield {
            summary: `${zone.show(owner)} PTR points to the address "${written}"`,
            at: record,
            fix: `If the name has this address, write ${written.includes(":") ? "AAAA" : "A"} instead of PTR. PTR records belong in the reverse zone of the address.`,
          };
        }
      }
    }
  },
};
