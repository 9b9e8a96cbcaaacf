import type { Rule } from "../lookup/rule.ts";
import { dkim } from "../policies/dkim.ts";
import { checkPolicy } from "../policies/tag-rules.ts";

/** Parts of keys that receivers ignore. */
export const dkimIgnored: Rule = {
  id: "dkim-ignored",
  types: ["TXT"],
  check: (zone) => checkPolicy(zone, dkim, "ignored"),
};
