import { checkPolicy, listOf, oneOf, type TagPolicy, uris } from "../policies/tag-rules.ts";
import type { Rule } from "../rule.ts";

const dmarc: TagPolicy = {
  name: "DMARC",
  version: "DMARC1",
  isAt: ([first]) => first === "_dmarc",
  tags: {
    p: { ...oneOf("none", "quarantine", "reject"), isRequired: true },
    sp: oneOf("none", "quarantine", "reject"),
    np: oneOf("none", "quarantine", "reject"),
    pct: { fits: (value) => /^\d{1,3}$/.test(value) && Number(value) <= 100, form: "a number from 0 to 100" },
    adkim: oneOf("r", "s"),
    aspf: oneOf("r", "s"),
    fo: listOf("0", "1", "d", "s"),
    rf: listOf("afrf"),
    ri: { fits: (value) => /^\d{1,10}$/.test(value), form: "a number of seconds" },
    rua: uris("mailto", "https", "http"),
    ruf: uris("mailto", "https", "http"),
    psd: oneOf("y", "n", "u"),
    t: oneOf("y", "n"),
  },
};

export const dmarcSyntax: Rule = {
  id: "dmarc-syntax",
  check: (zone) => checkPolicy(zone, dmarc),
};
