import type { Rule } from "../lookup/rule.ts";
import { checkPolicy, type TagPolicy, uris } from "../policies/tag-rules.ts";

const tlsrpt: TagPolicy = {
  name: "TLSRPT",
  version: "TLSRPTv1",
  isAt: ([first, second]) => first === "_smtp" && second === "_tls",
  tags: { rua: { ...uris("mailto", "https"), isRequired: true } },
};

export const tlsrptSyntax: Rule = {
  id: "tlsrpt-syntax",
  types: ["TXT"],
  check: (zone) => checkPolicy(zone, tlsrpt),
};
