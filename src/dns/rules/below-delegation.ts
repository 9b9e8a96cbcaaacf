import type { Rule } from "../lookup/rule.ts";
import { nameKey } from "../name/name.ts";
import { targets } from "../zone/zone.ts";

/** Record types of the parent zone at a delegated name (RFC 4035 §2.6). */
const ofParent = ["NS", "DS", "RRSIG", "NSEC"];

export const belowDelegation: Rule = {
  id: "below-delegation",
  types: ["NS"],
  *check(zone) {
    const delegations = zone.sets("NS").filter(({ owner }) => !zone.isApex(owner));
    if (delegations.length === 0) return;
    const servers = new Set(
      zone
        .sets("NS")
        .flatMap(({ records }) => records.flatMap(targets))
        .map(nameKey),
    );
    for (const [owner, types] of zone.owners) {
      const cut = zone.delegation(owner);
      if (cut === undefined) continue;
      for (const { type, records } of types.values()) {
        if (owner === cut && ofParent.includes(type)) continue;
        if ((type === "A" || type === "AAAA") && servers.has(owner)) continue;
        yield {
          summary: `${zone.show(owner)} ${type} is ${owner === cut ? "at" : "below"} the delegated name "${zone.show(cut)}"`,
          at: records[0],
          about: "owner",
          fix: `Move it to the zone "${cut}", or remove the NS records.`,
        };
      }
    }
  },
};
