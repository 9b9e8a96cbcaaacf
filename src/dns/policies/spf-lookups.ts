import { asName, type Name, type NameKey, nameKey } from "../name.ts";
import type { IndexedZone } from "../rule.ts";
import { textOf } from "./kind.ts";
import { parseSpf, type SpfPolicy } from "./spf.ts";

/** Receivers fail a policy that needs more lookups (RFC 7208 §4.6.4). */
export const mostLookups = 10;

/** The zone that has the records of a name, as far as they are known. */
type ZoneOf = (name: Name) => IndexedZone | undefined;

/**
 * How many lookups a policy causes (RFC 7208 §4.6.4): one for each include, a, mx, ptr, exists and redirect, and those
 * of the policies that it includes where `zoneOf` knows them.
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
    const target = nameKey(asName(`${value.replace(/\.$/, "")}.`));
    const included = seen.has(target) ? undefined : policyAt(zoneOf(target), target);
    if (included) count += countLookups(included, zoneOf, new Set([...seen, target]));
    if (kind === "mechanism" && count > 1000) return count;
  }
  return count;
}

function policyAt(zone: IndexedZone | undefined, name: NameKey): SpfPolicy | undefined {
  const records = zone?.owners.get(name)?.get("TXT")?.records ?? [];
  return records.map((record) => parseSpf(textOf(record))).find((policy) => policy !== undefined);
}
