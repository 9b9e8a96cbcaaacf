import { dmarc } from "../policies/dmarc.ts";
import { checkPolicy } from "../policies/tag-rules.ts";
import type { Rule } from "../rule.ts";

/** Parts of policies that receivers ignore. */
export const dmarcIgnored: Rule = {
  id: "dmarc-ignored",
  check: (zone) => checkPolicy(zone, dmarc, "ignored"),
};
