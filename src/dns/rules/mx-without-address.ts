import { addressFinding, findAddressFault } from "../lookup/find-address.ts";
import type { Rule } from "../lookup/rule.ts";
import { createTargetTest } from "../lookup/specific-targets.ts";
import { distinct } from "../zone/zone.ts";

export const mxWithoutAddress: Rule = {
  id: "mx-without-address",
  types: ["MX"],
  *check(zone) {
    const isReported = createTargetTest(zone);
    for (const { records } of zone.sets("MX")) {
      for (const record of distinct(records)) {
        const { exchange } = record.data;
        const fault = findAddressFault(zone, exchange);
        if (fault && !isReported(record, exchange)) yield addressFinding(zone, record, exchange, { fault });
      }
    }
  },
};
