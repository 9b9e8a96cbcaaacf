import type { Rule } from "../lookup/rule.ts";
import { dmarc } from "../policies/dmarc.ts";
import { checkPolicy } from "../policies/tag-rules.ts";

/** Faults with which a domain has no policy. */
export const dmarcSyntax: Rule = {
  id: "dmarc-syntax",
  types: ["TXT"],
  check: (zone) => checkPolicy(zone, dmarc, "void"),
};
