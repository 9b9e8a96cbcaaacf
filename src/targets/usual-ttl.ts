import { copyRecord, type Zone, type ZoneRecord } from "../dns/zone/zone.ts";
import type { Setting } from "../dns/zone/zone-settings.ts";
import type { TargetKind } from "./target.ts";

/** The TTL of records without one in a file without `ttl_sec`, in seconds: that of the examples of RFC 1912 §2.2. */
export const defaultTtl = 3600;

/** The TTL of records without one, for services that store none of a zone. */
export const ttlSetting: Setting = {
  name: "ttl_sec",
  kind: "duration",
  default: defaultTtl,
  about: "TTL of records without one",
  example: "1h",
};

/** A zone with its most frequent TTL as `ttl_sec`, where the service stores none of its own: each record has one. */
export function withUsualTtl(
  zone: Zone,
  { capabilities, fileSettings = [] }: Pick<TargetKind, "capabilities" | "fileSettings">,
): Zone {
  const isStored = capabilities.settings.some(({ name }) => name === "ttl_sec");
  const isKnown = fileSettings.some(({ name }) => name === "ttl_sec");
  const ttl = isStored || !isKnown ? undefined : mostFrequentTtl(zone.records);
  if (ttl === undefined) return zone;
  const records = zone.records.map((record) => (record.ttl === ttl ? copyRecord(record, { ttl: undefined }) : record));
  return { ...zone, settings: { ...zone.settings, ttl_sec: ttl }, records };
}

/** The TTL that most records have, in seconds; undefined without one above 0. */
export function mostFrequentTtl(records: Iterable<ZoneRecord>): number | undefined {
  const counts = new Map<number, number>();
  for (const { ttl } of records) if (ttl) counts.set(ttl, (counts.get(ttl) ?? 0) + 1);
  // Of equally frequent ones the shortest, so that the result does not depend on the order of the transfer.
  const [most] = [...counts].sort(([a, often], [b, seldom]) => seldom - often || a - b);
  return most?.[0];
}
