import { addressFinding, findAddressFault, isReverse } from "../lookup/find-address.ts";
import type { AcrossRule } from "../lookup/rule.ts";
import { createTargetTest } from "../lookup/specific-targets.ts";
import { targets } from "../zone/zone.ts";

/** Types whose targets have addresses; those of PTR records only in a reverse zone. */
const ofHosts = ["ALIAS", "NS", "SRV", "SVCB", "HTTPS"];

export const targetElsewhere: AcrossRule = {
  id: "target-elsewhere",
  *check(zone, zones) {
    const isReported = createTargetTest(zone);
    for (const record of zone.zone.records) {
      if (record.type === "MX") continue; // another rule
      for (const target of targets(record)) {
        const answering = zones.of(target);
        if (!answering || answering === zone || isReported(record, target)) continue;
        const isHost = ofHosts.includes(record.type) || (record.type === "PTR" && isReverse(zone));
        const fault = isHost ? findAddressFault(answering, target) : answering.answers(target) ? undefined : "missing";
        if (fault) yield addressFinding(zone, record, target, { fault, answering });
      }
    }
  },
};
