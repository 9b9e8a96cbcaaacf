import type { Rule } from "../lookup/rule.ts";
import { labels } from "../name/name.ts";

/** Protocols of the second label (RFC 2782, RFC 8552 §4.1.1). */
const protocols: ReadonlySet<string> = new Set(["_tcp", "_udp", "_sctp", "_dccp", "_tls"]);

/** The labels of a name in the zone after the first two. */
function host(shown: string): string[] {
  return shown.split(".").slice(2);
}

export const srvLabels: Rule = {
  id: "srv-labels",
  types: ["SRV"],
  *check(zone) {
    for (const { owner, records } of zone.sets("SRV")) {
      const [first = "", second = ""] = labels(owner);
      if (!first.startsWith("_") && protocols.has(`_${second}`))
        yield {
          summary: `${zone.show(owner)} SRV lacks the underscores of its service and protocol`,
          at: records[0],
          about: "owner",
          fix: `Write "${[`_${first}`, `_${second}`, ...host(zone.show(owner))].join(".")}".`,
        };
      if (!protocols.has(first) || first === "_tls" || !second.startsWith("_") || protocols.has(second)) continue;
      yield {
        summary: `${zone.show(owner)} SRV has its service and protocol in the wrong order`,
        at: records[0],
        about: "owner",
        fix: `Write "${[second, first, ...host(zone.show(owner))].join(".")}".`,
      };
    }
  },
};
