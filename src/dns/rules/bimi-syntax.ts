import type { Rule } from "../lookup/rule.ts";
import { checkPolicy, type TagPolicy, type TagRule } from "../policies/tag-rules.ts";

const url: TagRule = {
  fits: (value) => value === "" || (/^https:[!-~]+$/i.test(value) && URL.canParse(value)),
  form: "an https URL, or nothing",
};

const bimi: TagPolicy = {
  name: "BIMI",
  version: "BIMI1",
  isAt: ([, second]) => second === "_bimi",
  tags: {
    l: {
      fits: (value) => url.fits(value) && (value === "" || /\.svgz?$/i.test(new URL(value).pathname)),
      form: "the https URL of an SVG image, or nothing",
      isRequired: true,
    },
    a: url,
    avp: { fits: () => true, form: "a preference" },
    lps: { fits: () => true, form: "prefixes" },
  },
};

export const bimiSyntax: Rule = {
  id: "bimi-syntax",
  types: ["TXT"],
  check: (zone) => checkPolicy(zone, bimi),
};
