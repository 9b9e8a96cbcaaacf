import type { Rule } from "../../dns/lookup/rule.ts";
import { recordLimits as recordRules } from "./record-limits.ts";
import { zoneLimits } from "./zone-limits.ts";

/** Limits of the API. A record that breaks one is never sent. */
export const limits: readonly Rule[] = [...recordRules, ...zoneLimits];

export const recordLimitIds: ReadonlySet<string> = new Set(recordRules.map(({ id }) => id));

/** The number of records can be allowed, because services of this API can have another limit. */
export const strictRules: ReadonlySet<string> = new Set([
  ...zoneLimits.map(({ id }) => id).filter((id) => id !== "records-count"),
  "cname-alone",
  "cname-at-apex",
  "null-mx-alone",
  "wildcard-ns",
]);
