import type { Rule } from "../lookup/rule.ts";
import { isDocumentationAddress } from "../name/special-address.ts";
import { isUnresolved } from "../zone/node-reference.ts";
import { distinct } from "../zone/zone.ts";

/** Names that are examples themselves (RFC 2606, RFC 6761). */
const examples = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)\.$/;

export const documentationAddress: Rule = {
  id: "documentation-address",
  types: ["A", "AAAA"],
  *check(zone) {
    if (examples.test(zone.apex)) return;
    for (const { owner, type, records } of zone.sets("A", "AAAA")) {
      for (const record of distinct(records)) {
        if (isUnresolved(record) || !isDocumentationAddress(record.data.address)) continue;
        yield {
          summary: `${zone.show(owner)} ${type} publishes ${record.data.address}, an address of examples`,
          at: record,
          fix: "Write the address of the host.",
        };
      }
    }
  },
};
