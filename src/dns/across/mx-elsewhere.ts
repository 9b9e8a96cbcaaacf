import { addressFinding, findAddressFault } from "../lookup/find-address.ts";
import type { AcrossRule } from "../lookup/rule.ts";
import { distinct } from "../zone/zone.ts";

export const mxElsewhere: AcrossRule = {
  id: "mx-elsewhere",
  *check(zone, zones) {
    for (const { records } of zone.sets("MX")) {
      for (const record of distinct(records)) {
        const { exchange } = record.data;
        const answering = zones.of(exchange);
        if (!answering || answering === zone) continue;
        const fault = findAddressFault(answering, exchange);
        if (fault) yield addressFinding(zone, record, exchange, { fault, answering });
      }
    }
  },
};
