import type { Name } from "../dns/name.ts";
import type { Zone } from "../dns/zone.ts";
import { writeBind } from "../formats/bind/write.ts";

export interface WritingOptions {
  /** The name servers of a zone without NS records at its apex; by default names under `.invalid`. */
  readonly nameservers?: readonly Name[] | undefined;
  /** The TTL of records without one, if the zone has no `ttl_sec`, in seconds; default one day. */
  readonly ttl?: number;
}

/**
 * Writes a BIND zone file in canonical form (RFC 1035 §5), which `readZoneFile` reads as the same records. SOA and apex
 * NS records, which name servers need, are added where the zone has none.
 */
export function writeZoneFile(zone: Zone, { nameservers, ttl = 86_400 }: WritingOptions = {}): string {
  const settings = { ...zone.settings, ttl_sec: zone.settings.ttl_sec || ttl };
  return writeBind({ ...zone, settings }, { settings: [], nameservers });
}
