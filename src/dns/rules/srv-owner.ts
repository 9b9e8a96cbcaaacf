import { labels } from "../name.ts";
import type { Rule } from "../rule.ts";

export const srvOwner: Rule = {
  id: "srv-owner",
  *check(zone) {
    for (const { owner, records } of zone.sets("SRV")) {
      if (/^_[^.\\]+\._[^.\\]/.test(owner)) continue;
      const [service = "", protocol = ""] = labels(owner);
      if (/^_./.test(service) && /^_./.test(protocol)) continue;
      yield {
        summary: `${zone.show(owner)} SRV is not at a _service._protocol name`,
        at: records[0],
        about: "owner",
        fix: `Move it to a name such as "_sip._tcp${zone.isApex(owner) ? "" : `.${zone.show(owner)}`}".`,
      };
    }
  },
};
