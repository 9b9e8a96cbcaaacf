import { checkZone } from "../dns/check.ts";
import type { Name } from "../dns/name/name.ts";
import type { Zone, ZoneRecord } from "../dns/zone/zone.ts";
import { readBind } from "../formats/bind/read.ts";
import { writeBind } from "../formats/bind/write.ts";
import { errorsOf, findFreshErrors, writeFault } from "../formats/edit/fresh-errors.ts";
import { defaultTtlOf } from "./read-record.ts";

export interface WritingOptions {
  /** The name servers of a zone without NS records at its apex; by default names under `.invalid`. */
  readonly nameservers?: readonly Name[] | undefined;
  /** The TTL of records without one, if the zone has no `ttl_sec`, in seconds; default one day. */
  readonly ttl?: number;
}

/**
 * Writes a BIND zone file in canonical form (RFC 1035 §5), which `readZoneFile` reads as the same records. SOA and apex
 * NS records, which name servers need, are added where the zone has none. A target without its final dot stays as it
 * was read.
 * @throws {ProblemError} `write-invalid` for a text with errors that the zone does not have, such as invalid data
 */
export function writeZoneFile(zone: Zone, { nameservers, ttl = 86_400 }: WritingOptions = {}): string {
  const settings = { ...zone.settings, ttl_sec: zone.settings.ttl_sec || ttl };
  const usual = defaultTtlOf(zone);
  const records = zone.records.map((record) => (hasDefaultTtl(record, usual) ? { ...record, ttl: undefined } : record));
  const text = writeBind({ ...zone, settings, records }, { settings: [], nameservers });
  const written = readBind({ file: "the zone file", bytes: Buffer.from(text), origin: zone.name, settings: [] });
  const errors = errorsOf([...written.problems, ...checkZone(written.zone)]);
  const fresh = errors.length === 0 ? errors : findFreshErrors(errors, [[checkZone(zone)]]);
  if (fresh.length > 0) throw writeFault("the zone file", fresh);
  return text;
}

/** Whether a record was read without a TTL of its own, and has been given none since. */
function hasDefaultTtl(record: ZoneRecord & { readonly statedTtl?: number | undefined }, usual: number): boolean {
  return "statedTtl" in record && record.statedTtl === undefined && record.ttl === usual;
}
