import type { Rule } from "../lookup/rule.ts";
import { checkPolicy, type TagPolicy } from "../policies/tag-rules.ts";

const mtaSts: TagPolicy = {
  name: "MTA-STS",
  version: "STSv1",
  isAt: ([first]) => first === "_mta-sts",
  tags: {
    id: {
      isRequired: true,
      fits: (value) => /^[A-Za-z0-9]{1,32}$/.test(value),
      form: "1 to 32 letters and digits, for example 20270131T120000",
    },
  },
};

export const mtaStsSyntax: Rule = {
  id: "mta-sts-syntax",
  types: ["TXT"],
  check: (zone) => checkPolicy(zone, mtaSts),
};
