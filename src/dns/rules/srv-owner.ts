import { labels } from "../name.ts";
import type { Rule } from "../rule.ts";

export const srvOwner: Rule = {
  id: "srv-owner",
  set: "dns",
  severity: "error",
  why: "Clients ask for an SRV record under _service._protocol (RFC 2782).",
  example: {
    ok: "records:\n  _sip._tcp: { SRV: 0 0 5060 sip.example.net. }",
    ko: "records:\n  sip: { SRV: 0 0 5060 sip.example.net. }",
  },
  *check(zone) {
    for (const { owner, records } of zone.sets("SRV")) {
      const [service = "", protocol = ""] = labels(owner);
      if (/^_./.test(service) && /^_./.test(protocol)) continue;
      yield {
        summary: `the SRV record at ${zone.show(owner)} names no service and protocol`,
        at: records[0],
        about: "owner",
        fix: `Move it to a name such as _sip._tcp${zone.isApex(owner) ? "" : `.${zone.show(owner)}`}.`,
      };
    }
  },
};
