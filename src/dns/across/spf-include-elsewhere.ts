import { checkIncludes } from "../policies/spf-includes.ts";
import type { AcrossRule } from "../rule.ts";

export const spfIncludeElsewhere: AcrossRule = {
  id: "spf-include-elsewhere",
  check: (zone, zones) =>
    checkIncludes(
      zone,
      (name) => zones.of(name),
      (answering) => answering !== undefined && answering !== zone,
    ),
};
