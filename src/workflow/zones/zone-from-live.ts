import type { LiveRecord, LiveZone } from "../../dns/zone/desired-live.ts";
import { byOwner } from "../../dns/zone/owners.ts";
import { canonical, copyRecord, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import { blankSettings, type Setting, type ZoneSettings } from "../../dns/zone/zone-settings.ts";

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

function withoutId({ id, ...record }: LiveRecord): ZoneRecord {
  return record;
}
