import type { AcrossRule } from "../lookup/rule.ts";
import { checkIncludes } from "../policies/spf-includes.ts";

export const spfIncludeElsewhere: AcrossRule = {
  id: "spf-include-elsewhere",
  check: (zone, zones) =>
    checkIncludes(
      zone,
      (name) => zones.of(name),
      (answering) => answering !== undefined && answering !== zone,
    ),
};
