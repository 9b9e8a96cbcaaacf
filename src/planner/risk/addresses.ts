import { labels, type NameKey } from "../../dns/name/name.ts";
import { isUnresolved } from "../../dns/zone/node-reference.ts";
import type { SettingValue } from "../../dns/zone/zone-settings.ts";
import type { Effect } from "../changes/effects.ts";
import { newRecords, type ZoneChange } from "./guard.ts";

export const addressTypes = ["A", "AAAA"] as const;

/** The addresses that a name gets, but not those that it has and whose TTL changes. */
export function* newAddresses(zone: ZoneChange): Generator<{ effect: Effect; address: string }> {
  for (const { effect, record } of newRecords(zone, "A", "AAAA"))
    if (!isUnresolved(record)) yield { effect, address: record.data.address };
}

/** The addresses of a setting, in lower case. */
export function addressesIn(value: SettingValue | undefined): string[] {
  return Array.isArray(value) ? value.map((address: string) => address.toLowerCase()) : [];
}

/** Whether a name is at or below an underscored one, which belongs to a service instead of a host (RFC 8552). */
export function isService(name: NameKey): boolean {
  return labels(name).some((label) => label.startsWith("_"));
}
