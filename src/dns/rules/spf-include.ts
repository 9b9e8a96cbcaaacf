import type { Rule } from "../lookup/rule.ts";
import { checkIncludes } from "../policies/spf-includes.ts";

export const spfInclude: Rule = {
  id: "spf-include",
  types: ["TXT"],
  check: (zone) =>
    checkIncludes(
      zone,
      (name) => (zone.isInside(name) ? zone : undefined),
      () => true,
    ),
};
