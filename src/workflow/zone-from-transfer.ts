import { isSameName, type Name } from "../dns/name.ts";
import { soaSettings } from "../dns/soa-settings.ts";
import { changed, type Excuse, isType, type Zone, type ZoneRecord } from "../dns/zone.ts";
import type { TargetKind } from "../targets/target.ts";
import { normalizeForFile } from "./zone-from-live.ts";

/** The records of a zone transfer, the SOA record first. */
export interface Transferred {
  readonly name: Name;
  readonly records: readonly ZoneRecord[];
}

/**
 * Converts a transferred zone for a zone file. The settings come from its SOA record, and `ttl_sec` is the most
 * frequent TTL. SOA, apex NS and DNSSEC records are omitted: the new service makes its own. Records that the service
 * does not support stay, with a `lenient` entry, so that a plan omits them with a warning.
 */
export function zoneFromTransfer(
  { name, records }: Transferred,
  target: Pick<TargetKind, "accept" | "capabilities" | "recordLimits">,
  report: (summary: string) => void,
): Zone {
  const { settings } = target.capabilities;
  const soa = records.find((record) => isType(record, "SOA"));
  const kept = records.filter((record) => !isReplaced(name, record));
  const ttl = mostFrequentTtl(kept);
  const zone = {
    name,
    settings: { ...(soa && soaSettings(soa, settings)), ...(ttl !== undefined && { ttl_sec: ttl }) },
    records: kept,
    places: {},
    dotlessTargets: [],
  };
  const once = normalizeForFile(zone, { ttl_sec: 0 }, report);
  const withDefaults = once.records.map((record) =>
    record.ttl === ttl ? changed(record, { ttl: undefined }) : record,
  );
  const excused = excusesFor({ ...zone, records: withDefaults }, target);
  return { ...zone, records: withDefaults, ...(excused.length > 0 && { excused }) };
}

/** Whether the new service makes this record itself: SOA, NS at the apex, and those of DNSSEC. */
export function isReplaced(zone: Name, { owner, type }: Pick<ZoneRecord, "owner" | "type">): boolean {
  return type === "SOA" || isSigning(type) || (type === "NS" && isSameName(owner, zone));
}

/** Whether a signer makes records of this type from the zone (RFC 4034, RFC 5155, RFC 7344, RFC 8976). */
export function isSigning(type: string): boolean {
  return signingTypes.has(type);
}

const signingTypes: ReadonlySet<string> = new Set([
  "CDNSKEY",
  "CDS",
  "DNSKEY",
  "NSEC",
  "NSEC3",
  "NSEC3PARAM",
  "RRSIG",
  "ZONEMD",
]);

function mostFrequentTtl(records: readonly ZoneRecord[]): number | undefined {
  const counts = new Map<number, number>();
  for (const { ttl } of records) if (ttl) counts.set(ttl, (counts.get(ttl) ?? 0) + 1);
  // Of equally frequent ones the shortest, so that the result does not depend on the order of the transfer.
  const [most] = [...counts].sort(([a, often], [b, seldom]) => seldom - often || a - b);
  return most?.[0];
}

/** The rules to lower at the names whose records exceed a limit of the service. */
function excusesFor(zone: Zone, { accept, recordLimits }: Pick<TargetKind, "accept" | "recordLimits">): Excuse[] {
  const found = new Map<string, Excuse>();
  for (const { id, owner } of accept(zone).problems) {
    if (owner === undefined || !recordLimits.has(id)) continue;
    const record = zone.records.find((record) => record.owner === owner);
    if (record) found.set(`${owner} ${id}`, { owner: record.owner, rule: id });
  }
  return [...found.values()];
}
