import type { Name } from "../dns/name.ts";
import type { Zone, ZoneRecord } from "../dns/zone.ts";
import { writeBind } from "../formats/bind/write.ts";
import { defaultTtlOf } from "./read-record.ts";

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
  const usual = defaultTtlOf(zone);
  const records = zone.records.map((record) => (hasDefaultTtl(record, usual) ? { ...record, ttl: undefined } : record));
  return writeBind({ ...zone, settings, records }, { settings: [], nameservers });
}

/** Whether a record was read without a TTL of its own, and has been given none since. */
function hasDefaultTtl(record: ZoneRecord & { readonly statedTtl?: number | undefined }, usual: number): boolean {
  return "statedTtl" in record && record.statedTtl === undefined && record.ttl === usual;
}
