import { count } from "../../diagnostics/quantities.ts";
import { isReverse } from "../lookup/find-address.ts";
import type { Rule } from "../lookup/rule.ts";
import { labels } from "../name/name.ts";

export const reverseOwner: Rule = {
  id: "reverse-owner",
  types: ["PTR"],
  *check(zone) {
    if (!isReverse(zone) || !zone.apex.endsWith("in-addr.arpa.")) return;
    for (const { owner, records } of zone.sets("PTR")) {
      const numbers = labels(owner).slice(0, -2);
      // Other labels are those of classless delegations (RFC 2317).
      if (!numbers.every((label) => /^\d+$/.test(label))) continue;
      const large = numbers.find((label) => Number(label) > 255);
      if (large === undefined && numbers.length <= 4) continue;
      yield {
        summary:
          large === undefined
            ? `${zone.show(owner)} PTR has ${count(numbers.length, "number")} with those of its zone; an address has 4`
            : `${zone.show(owner)} PTR contains ${large}; the numbers of an address end at 255`,
        at: records[0],
        about: "owner",
        fix: "Write only the numbers that the name of the zone lacks, the last one of the address first.",
      };
    }
  },
};
