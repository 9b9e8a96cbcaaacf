import { addressFinding, findAddressFault } from "../lookup/find-address.ts";
import type { Rule } from "../lookup/rule.ts";
import { isInside } from "../name/name.ts";
import { distinct, targets } from "../zone/zone.ts";

export const targetWithoutAddress: Rule = {
  id: "target-without-address",
  types: ["CNAME", "NS", "SRV", "SVCB", "HTTPS"],
  *check(zone) {
    for (const { owner, type, records } of zone.sets("CNAME", "NS", "SRV", "SVCB", "HTTPS")) {
      for (const record of distinct(records)) {
        for (const target of targets(record)) {
          const fault = findAddressFault(zone, target);
          // Other rules report targets that do not exist, and servers of a delegation inside it.
          if (fault === undefined || fault === "missing") continue;
          if (type === "NS" && !zone.isApex(owner) && isInside(target, owner)) continue;
          // An alias may lead to records of any type, but not to none.
          if (type === "CNAME" && !zone.isEmpty(target)) continue;
          yield addressFinding(zone, record, target, { fault });
        }
      }
    }
  },
};
