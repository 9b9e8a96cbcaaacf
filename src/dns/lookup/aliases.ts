import type { NameKey } from "../name/name.ts";
import type { ZoneRecord } from "../zone/zone.ts";
import type { IndexedZone } from "./rule.ts";

/** The CNAME record of a name, or its ALIAS record, whose target the service looks up in its place. */
export function aliasAt(zone: IndexedZone | undefined, name: NameKey): ZoneRecord | undefined {
  const sets = zone?.owners.get(name);
  return (sets?.get("CNAME") ?? sets?.get("ALIAS"))?.records[0];
}

/** The types of aliases, as messages name them: "ALIAS and CNAME". */
export function namesOfTypes(records: readonly ZoneRecord[]): string {
  return [...new Set(records.map(({ type }) => type))].sort().join(" and ");
}
