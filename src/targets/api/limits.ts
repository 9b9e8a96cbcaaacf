import type { Rule } from "../../dns/rule.ts";
import { recordLimits } from "./record-limits.ts";
import { zoneLimits } from "./zone-limits.ts";

/** Limits of the API. A record that breaks one is never sent. */
export const limits: readonly Rule[] = [...recordLimits, ...zoneLimits];

/**
 * Rules that nobody can make milder: the API refuses the zone, or the record beside its neighbours, and there is nothing
 * to leave out instead.
 */
export const unyielding: ReadonlySet<string> = new Set([
  ...zoneLimits.map(({ id }) => id),
  "cname-alone",
  "cname-at-apex",
  "null-mx-alone",
  "srv-owner",
  "wildcard-ns",
]);

/** Is it a limit of single records? One that breaks it is left out of what is sent. */
export function isRecordLimit(rule: string): boolean {
  return recordLimits.some(({ id }) => id === rule);
}
