import { findAddressFault } from "../lookup/find-address.ts";
import type { Rule } from "../lookup/rule.ts";
import { labels, nameKey, parent, withLabel } from "../name/name.ts";
import { meantText, policyKind } from "../policies/kind.ts";

export const mtaStsHost: Rule = {
  id: "mta-sts-host",
  types: ["TXT"],
  *check(zone) {
    for (const { owner, records } of zone.sets("TXT")) {
      const record = records.find((one) => policyKind(meantText(one)) === "MTA-STS");
      if (!record || labels(nameKey(owner))[0] !== "_mta-sts") continue;
      const host = withLabel("mta-sts", parent(owner));
      // A name with names below it, such as proofs for a certificate, is in use: its records may be elsewhere.
      if (findAddressFault(zone, host) !== "missing") continue;
      yield {
        summary: `${zone.show(owner)} TXT: senders fetch the policy from "${zone.show(host)}", which does not exist in the zone`,
        at: record,
        fix: `Add "${zone.show(host)}", where the policy is published over HTTPS.`,
      };
    }
  },
};
