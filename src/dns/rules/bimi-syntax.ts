import { checkPolicy, type TagPolicy, type TagRule } from "../policies/tag-rules.ts";
import type { Rule } from "../rule.ts";

const url: TagRule = {
  fits: (value) => value === "" || (/^https:[!-~]+$/i.test(value) && URL.canParse(value)),
  form: "an https URL, or nothing",
};

const bimi: TagPolicy = {
  name: "BIMI",
  version: "BIMI1",
  isAt: ([, second]) => second?.toLowerCase() === "_bimi",
  tags: {
    l: { ...url, isRequired: true },
    a: url,
    avp: { fits: () => true, form: "a preference" },
    lps: { fits: () => true, form: "prefixes" },
  },
};

export const bimiSyntax: Rule = {
  id: "bimi-syntax",
  set: "practice",
  severity: "warning",
  why: "Mail programs show no logo for a BIMI record that they cannot read (draft-brand-indicators-for-message-identification §4.2).",
  example: {
    ok: "records:\n  default._bimi: { TXT: v=BIMI1; l=https://example.com/logo.svg }",
    ko: "records:\n  default._bimi: { TXT: v=BIMI1; l=http://example.com/logo.svg }",
  },
  check: (zone) => checkPolicy(zone, bimi),
};
