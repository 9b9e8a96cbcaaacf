import type { IndexedZone } from "../lookup/rule.ts";
import type { Name, NameKey } from "../name/name.ts";
import type { SpfPolicy } from "./spf.ts";
import { findPolicies, nameOf } from "./spf-includes.ts";

/** The maximum number of lookups of a policy (RFC 7208 §4.6.4). */
export const mostLookups = 10;

/** Finds the zone of a name, if its records are known. */
type ZoneOf = (name: Name) => IndexedZone | undefined;

/**
 * The number of lookups of a policy (RFC 7208 §4.6.4): one for each include, a, mx, ptr, exists and redirect, and those
 * of included policies that `zoneOf` finds.
 */
export function countLookups({ terms }: SpfPolicy, zoneOf: ZoneOf, seen: ReadonlySet<NameKey> = new Set()): number {
  const hasAll = terms.some((term) => term.kind === "mechanism" && term.name === "all");
  let count = 0;
  for (const term of terms) {
    if (term.kind === "malformed") continue;
    const { kind, name, value = "" } = term;
    const isRedirect = kind === "modifier" && name === "redirect" && !hasAll;
    if (kind === "mechanism" ? !["include", "a", "mx", "ptr", "exists"].includes(name) : !isRedirect) continue;
    count++;
    if (name !== "include" && name !== "redirect") continue;
    const target = nameOf(value);
    const [included] = seen.has(target) ? [] : (findPolicies(target, zoneOf).policies ?? []);
    if (included) count += countLookups(included, zoneOf, new Set([...seen, target]));
    if (kind === "mechanism" && count > 1000) return count;
  }
  return count;
}
