import { labels } from "../name.ts";
import type { Rule } from "../rule.ts";

export const tlsaOwner: Rule = {
  id: "tlsa-owner",
  *check(zone) {
    for (const { owner, records } of zone.sets("TLSA")) {
      const [port = "", protocol = ""] = labels(owner);
      // A name without a port is the target of an alias from one, or below a wildcard.
      if (port === "*" || (/^_(?:\d+|\*)$/.test(port) && protocol.startsWith("_")) || owner.startsWith("_")) continue;
      if (zone.sets("CNAME").some(({ records: [alias] }) => alias?.data.cname.toLowerCase() === owner)) continue;
      yield {
        summary: `${zone.show(owner)} TLSA is not at a port and protocol`,
        at: records[0],
        about: "owner",
        fix: 'Move it to the service, such as "_443._tcp" before the name of the host.',
      };
    }
  },
};
