import { checkIncludes } from "../policies/spf-includes.ts";
import type { Rule } from "../rule.ts";

export const spfInclude: Rule = {
  id: "spf-include",
  check: (zone) =>
    checkIncludes(
      zone,
      (name) => (zone.isInside(name) ? zone : undefined),
      () => true,
    ),
};
