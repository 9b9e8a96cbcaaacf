import { tighterDmarc } from "../risk/dmarc.ts";
import { type Guard, noLimit } from "../risk/guard.ts";
import { policyFindings } from "../risk/mail.ts";
import { tighterSpf } from "../risk/spf.ts";

/** Mail that was accepted and will be rejected. */
export const mailRefused: Guard = {
  guard: "G17",
  title: "mail refused",
  about: "starts to reject mail by SPF or DMARC that was accepted",
  of: { types: ["TXT", "CNAME"] },
  counts: `Compares SPF and DMARC of each changed name before and after the plan. ${noLimit}`,
  examples: {
    valid: ['- _dmarc TXT "v=DMARC1; p=none"', '+ _dmarc TXT "v=DMARC1; p=quarantine"'],
    invalid: {
      lines: ['- _dmarc TXT "v=DMARC1; p=none"', '+ _dmarc TXT "v=DMARC1; p=reject"'],
      finding: "_dmarc.example.com TXT: DMARC rejects more mail: from p=none to p=reject",
    },
  },
  *check(zone, context) {
    yield* policyFindings(zone, context, tighterSpf, tighterDmarc);
  },
};
