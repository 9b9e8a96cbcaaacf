import type { Rule } from "../rule.ts";

export const srvPort: Rule = {
  id: "srv-port",
  set: "practice",
  severity: "warning",
  why: "Port 0 is reserved, so no service listens there (RFC 6335 §6); a service that is not offered has the target . (RFC 2782).",
  example: {
    ok: "records:\n  _sip._tcp: { SRV: 0 0 5060 sip.example.net. }\n  _pop3._tcp: { SRV: 0 0 0 . }",
    ko: "records:\n  _sip._tcp: { SRV: 0 0 0 sip.example.net. }",
  },
  *check(zone) {
    for (const { owner, records } of zone.sets("SRV")) {
      for (const record of records) {
        if (record.data.port !== 0 || record.data.target === ".") continue;
        yield {
          summary: `${zone.show(owner)} SRV has port 0`,
          at: record,
          fix: "Write the port of the service, or the target . if it is not offered.",
        };
      }
    }
  },
};
