import { findAddressFault } from "../find-address.ts";
import { labels, nameKey, parent, withLabel } from "../name.ts";
import { meantText, policyKind } from "../policies/kind.ts";
import type { Rule } from "../rule.ts";

export const mtaStsHost: Rule = {
  id: "mta-sts-host",
  *check(zone) {
    for (const { owner, records } of zone.sets("TXT")) {
      const record = records.find((one) => policyKind(meantText(one)) === "MTA-STS");
      if (!record || labels(nameKey(owner))[0] !== "_mta-sts") continue;
      const host = withLabel("mta-sts", parent(owner));
      if (findAddressFault(zone, host) === undefined) continue;
      yield {
        summary: `${zone.show(owner)} TXT: senders fetch the policy from "${zone.show(host)}", which has no address`,
        at: record,
        fix: `Add "${zone.show(host)}", where the policy is published over HTTPS.`,
      };
    }
  },
};
