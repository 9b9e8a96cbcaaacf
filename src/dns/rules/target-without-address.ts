import { addressFinding, findAddressFault } from "../lookup/find-address.ts";
import type { IndexedZone, Rule } from "../lookup/rule.ts";
import { isInside, labels, type Name } from "../name/name.ts";
import { distinct, targets } from "../zone/zone.ts";

const pointers = ["ALIAS", "CNAME", "NS", "SRV", "SVCB", "HTTPS"] as const;

export const targetWithoutAddress: Rule = {
  id: "target-without-address",
  types: pointers,
  *check(zone) {
    for (const { owner, type, records } of zone.sets(...pointers)) {
      for (const record of distinct(records)) {
        for (const target of targets(record)) {
          const fault = findAddressFault(zone, target);
          // Other rules report targets that do not exist, and servers of a delegation inside it.
          if (fault === undefined || fault === "missing") continue;
          if (type === "NS" && !zone.isApex(owner) && isInside(target, owner)) continue;
          if (type === "CNAME" && !zone.isEmpty(target) && !isHostAtApex(zone, owner, target)) continue;
          yield addressFinding(zone, record, target, { fault });
        }
      }
    }
  },
};

/**
 * An alias may lead to records of any type, but not to none. The apex always has some, SOA and NS, so a host that is an
 * alias of it is to have its addresses.
 */
function isHostAtApex(zone: IndexedZone, owner: Name, target: Name): boolean {
  return zone.isApex(target) && !labels(owner).some((label) => label.startsWith("_"));
}
