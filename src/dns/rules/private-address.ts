import type { Rule } from "../lookup/rule.ts";
import { labels, type Name, nameKey } from "../name/name.ts";
import { specialBlock } from "../name/special-address.ts";
import { isUnresolved } from "../zone/node-reference.ts";
import { distinct } from "../zone/zone.ts";

/** Block lists answer for reversed addresses with loopback addresses (RFC 5782 §2.1). */
function isListed(owner: Name): boolean {
  return /^(?:\d{1,3}\.){4}/.test(owner) || /^(?:[0-9a-f]\.){32}/i.test(owner);
}

/** The name localhost and those below it have these addresses, in each domain (RFC 1912 §4.1, RFC 6761 §6.3). */
function isLocalhost(owner: Name): boolean {
  return labels(nameKey(owner)).includes("localhost");
}

export const privateAddress: Rule = {
  id: "private-address",
  types: ["A", "AAAA"],
  *check(zone) {
    for (const { owner, type, records } of zone.sets("A", "AAAA")) {
      for (const record of distinct(records)) {
        if (isUnresolved(record)) {
          if (record.node?.isPrivate)
            yield {
              summary: `${zone.show(owner)} ${type} publishes the private address of the node ${record.node.label}`,
              at: record,
              fix: "Publish it in an internal zone instead.",
            };
          continue;
        }
        const special = specialBlock(record.data.address);
        if (special === undefined || (special.purpose === "loopback" && (isLocalhost(owner) || isListed(owner))))
          continue;
        yield {
          summary: `${zone.show(owner)} ${type} publishes the ${special.purpose} address ${record.data.address}`,
          at: record,
          fix: "Publish it in an internal zone instead.",
        };
      }
    }
  },
};
