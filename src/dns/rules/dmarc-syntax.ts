import { checkPolicy, listOf, oneOf, type TagPolicy, type TagRule, uris } from "../policies/tag-rules.ts";
import type { Rule } from "../rule.ts";

const disposition: TagRule = { ...oneOf("none", "quarantine", "reject"), isVoid: () => true };
const reports = uris("mailto", "https", "http");

/** RFC 9989 §4.7. Older receivers also read pct, rf and ri (RFC 7489 §6.3). */
const dmarc: TagPolicy = {
  name: "DMARC",
  version: "DMARC1",
  isAt: ([first]) => first === "_dmarc",
  // Receivers apply "none" if the policy asks for reports (RFC 9989 §4.10.1).
  isVoidWithout: (tags) => !tags.some(({ name, value }) => name === "rua" && reports.fits(value)),
  tags: {
    p: { ...disposition, isRequired: true },
    sp: disposition,
    np: disposition,
    pct: { fits: (value) => /^\d{1,3}$/.test(value) && Number(value) <= 100, form: "a number from 0 to 100" },
    adkim: oneOf("r", "s"),
    aspf: oneOf("r", "s"),
    fo: listOf("0", "1", "d", "s"),
    rf: listOf("afrf"),
    ri: { fits: (value) => /^\d{1,10}$/.test(value), form: "a number of seconds" },
    rua: reports,
    ruf: reports,
    psd: oneOf("y", "n", "u"),
    t: oneOf("y", "n"),
  },
};

/** Faults with which a domain has no policy. */
export const dmarcSyntax: Rule = {
  id: "dmarc-syntax",
  check: (zone) => checkPolicy(zone, dmarc, "void"),
};

/** Parts of policies that receivers ignore. */
export const dmarcIgnored: Rule = {
  id: "dmarc-ignored",
  check: (zone) => checkPolicy(zone, dmarc, "ignored"),
};
