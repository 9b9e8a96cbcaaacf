import { nameKey } from "../dns/name.ts";
import type { Zone } from "../dns/zone.ts";
import { canonical } from "../dns/zone.ts";
import { defaultTimes } from "../dns/zone-settings.ts";
import { masterText } from "./master-text.ts";

/**
 * Zones as lines that programs compare: owner, TTL, class, type and RDATA in canonical form (RFC 4034 §6: names
 * absolute and in lower case), apart by single spaces, each record once, sorted by octet. `ttl_sec` 0 counts as 86400.
 */
export function recordsText(zones: Iterable<Zone>): string {
  const lines = new Set<string>();
  for (const { records, settings } of zones) {
    for (const record of records) {
      const ttl = record.ttl ?? (settings.ttl_sec || defaultTimes.ttl_sec);
      lines.add(`${nameKey(record.owner)} ${ttl} IN ${record.type} ${canonical(record)}\n`);
    }
  }
  return masterText([...lines].sort().join(""));
}
