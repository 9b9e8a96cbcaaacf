import type { LiveRecord, LiveZone } from "../../dns/zone/desired-live.ts";
import { byOwner } from "../../dns/zone/owners.ts";
import { canonical, copyRecord, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import { blankSettings, type Setting, type ZoneSettings } from "../../dns/zone/zone-settings.ts";
import type { TargetKind } from "../../targets/target.ts";

/**
 * Converts a live zone for a zone file: without ids, and without settings that equal the service's defaults in `known`.
 * A setting that differs from `defaults`, which fill the gaps of the file, is always included.
 */
export function zoneFromLive(
  { name, settings, records }: LiveZone,
  known: readonly Setting[],
  defaults: ZoneSettings = {},
): Zone {
  const blank = blankSettings(known);
  const all = settings.type === "slave" ? blank : { ...blank, ...defaults };
  const given = Object.entries(settings).filter(
    ([setting, value]) => JSON.stringify(value) !== JSON.stringify(all[setting]),
  );
  return {
    name,
    settings: Object.fromEntries(given),
    records: records.map(withoutId),
    places: {},
    dotlessTargets: [],
  };
}

/**
 * Normalises a zone for a file: each value once, and one TTL per RRset, the shortest stored one (RFC 2181 §5). `report`
 * is called for every RRset that changes.
 */
export function normalizeForFile(
  zone: Zone,
  defaultTimes: LiveZone["defaultTimes"],
  report: (summary: string) => void,
): Zone {
  const defaultTtl = zone.settings.ttl_sec || defaultTimes.ttl_sec;
  const records = [...byOwner(zone.records).values()].flatMap((types) =>
    [...types.values()].flatMap((set) => {
      const values = new Map(set.records.map((record) => [canonical(record), record]));
      if (values.size < set.records.length)
        report(`${set.owner} ${set.type} has a value twice; the file contains it once`);
      const ttlOf = ({ ttl }: ZoneRecord) => ttl ?? defaultTtl;
      const [first, ...rest] = set.records.toSorted((a, b) => ttlOf(a) - ttlOf(b));
      if (!first || rest.every((record) => ttlOf(record) === ttlOf(first))) return [...values.values()];
      const ttls = [...new Set([first, ...rest].map(ttlOf))];
      report(`${set.owner} ${set.type} has the TTLs ${ttls.join(", ")}; the file uses the shortest, ${ttls[0]}`);
      return [...values.values()].map((record) => copyRecord(record, { ttl: first.ttl }));
    }),
  );
  return { ...zone, records };
}

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

function withoutId({ id, ...record }: LiveRecord): ZoneRecord {
  return record;
}
