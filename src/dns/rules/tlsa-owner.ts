import type { Rule } from "../lookup/rule.ts";
import { labels, nameKey } from "../name/name.ts";

/** Protocols of the second label (RFC 6698 §3, RFC 7673 §4.1). */
const protocols: ReadonlySet<string> = new Set(["_tcp", "_udp", "_sctp", "_dccp", "*"]);

export const tlsaOwner: Rule = {
  id: "tlsa-owner",
  types: ["TLSA"],
  *check(zone) {
    for (const { owner, records } of zone.sets("TLSA")) {
      const [port = "", protocol = ""] = labels(nameKey(owner));
      // Others are below a wildcard, or the targets of aliases from a port, also in other zones.
      const isPlaced =
        port.startsWith("_") && !protocols.has(port) && (!/^_\d+$/.test(port) || protocols.has(protocol));
      if (port === "*" || isPlaced || zone.isAliased(owner)) continue;
      yield {
        summary: `${zone.show(owner)} TLSA is not at a port and protocol`,
        at: records[0],
        about: "owner",
        fix: 'Move it to the service, such as "_443._tcp" before the name of the host.',
      };
    }
  },
};
