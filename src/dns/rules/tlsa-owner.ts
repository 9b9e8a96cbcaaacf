import { labels } from "../name.ts";
import type { Rule } from "../rule.ts";

export const tlsaOwner: Rule = {
  id: "tlsa-owner",
  *check(zone) {
    for (const { owner, records } of zone.sets("TLSA")) {
      const [port = ""] = labels(owner);
      // Others are below a wildcard, or the targets of aliases from a port.
      if (port === "*" || port.startsWith("_") || zone.isAliased(owner)) continue;
      yield {
        summary: `${zone.show(owner)} TLSA is not at a port and protocol`,
        at: records[0],
        about: "owner",
        fix: 'Move it to the service, such as "_443._tcp" before the name of the host.',
      };
    }
  },
};
