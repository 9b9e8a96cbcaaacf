import type { Rule } from "../lookup/rule.ts";
import { dmarc } from "../policies/dmarc.ts";
import { checkPolicy } from "../policies/tag-rules.ts";

/** Parts of policies that receivers ignore. */
export const dmarcIgnored: Rule = {
  id: "dmarc-ignored",
  types: ["TXT"],
  check: (zone) => checkPolicy(zone, dmarc, "ignored"),
};
