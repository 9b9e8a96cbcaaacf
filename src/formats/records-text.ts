import { nameKey } from "../dns/name/name.ts";
import { canonicalText, type Zone } from "../dns/zone/zone.ts";
import { defaultTimes, type Setting } from "../dns/zone/zone-settings.ts";
import { zoneFileText } from "./zone-file-text.ts";

/**
 * Zones as lines that programs compare: owner, TTL, class, type and RDATA in canonical form (RFC 4034 §6: names
 * absolute and in lower case), separated by single spaces, without duplicates, sorted by octet. `settings` are the
 * target's: their default counts for a `ttl_sec` of 0.
 */
export function recordsText(zones: Iterable<Zone>, settings: readonly Setting[]): string {
  const defaultTtl = defaultTimes(settings).ttl_sec;
  const lines = new Set<string>();
  for (const zone of zones) {
    for (const record of zone.records) {
      const ttl = record.ttl ?? (zone.settings.ttl_sec || defaultTtl);
      lines.add(`${nameKey(record.owner)} ${ttl} IN ${record.type} ${canonicalText(record)}\n`);
    }
  }
  return zoneFileText([...lines].sort().join(""));
}
