import { nameKey } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import { canonical, copyRecord, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { Setting, SettingValue, ZoneSettings } from "../../dns/zone/zone-settings.ts";
import type { TargetKind } from "../../targets/target.ts";

/**
 * Merges a live zone into its file: records and settings that the service stores as written keep the spelling of the
 * file, records that the service does not support are kept, and everything else is replaced by the live data.
 * Settings that the service does not have (`known`) stay. `defaults` apply to settings that the file omits; `wanted` is
 * the live zone in the form of a file.
 */
export function zoneIntoFile(
  file: Zone,
  live: LiveZone,
  wanted: Zone,
  {
    accept,
    defaults,
    known,
  }: {
    readonly accept: TargetKind["accept"];
    readonly defaults: ZoneSettings;
    readonly known: readonly Setting[];
  },
): Zone {
  const { desired } = accept({ ...file, settings: { ...defaults, ...file.settings }, records: [] });
  const isKnown = new Set(known.map(({ name }) => name));
  const settings: Record<string, SettingValue> = {};
  for (const [name, value] of Object.entries(file.settings))
    if (value !== undefined && !isKnown.has(name)) settings[name] = value;
  const ownTtl = settings.ttl_sec;
  for (const name of Object.keys(live.settings)) {
    const stored = live.settings[name];
    const others: Readonly<Record<string, unknown>> = desired.otherTimes;
    const isSame = isEqual(desired.settings[name], stored) || isEqual(others[name], stored);
    const value = isSame ? file.settings[name] : wanted.settings[name];
    if (value !== undefined) settings[name] = value;
  }
  const found = new Set<ZoneRecord>();
  const byContent = new Map<string, ZoneRecord>(
    wanted.records.map((record) => [contentOf(record, record.ttl), record]),
  );
  const kept = file.records.filter((record) => {
    const [accepted] = accept({ ...file, records: [record] }).desired.records;
    if (!accepted) return live.settings.type !== "slave"; // not sent to the service: SOA, apex NS, unsupported types
    const ttls = [accepted.ttl, accepted.otherTtl ?? accepted.ttl];
    const stored = ttls.map((ttl) => byContent.get(contentOf(accepted, ttl))).find((record) => record !== undefined);
    if (stored) found.add(stored);
    return stored !== undefined;
  });
  const added = wanted.records
    .filter((record) => !found.has(record))
    .map((record) =>
      record.ttl !== undefined && record.ttl === ownTtl ? copyRecord(record, { ttl: undefined }) : record,
    );
  return { ...file, settings, records: [...kept, ...added] };
}

/** The zone without its SOA record, for zones whose live settings contradict it. */
export function withoutSoa(zone: Zone): Zone {
  return { ...zone, records: zone.records.filter(({ type }) => type !== "SOA") };
}

function contentOf({ owner, type, data }: ZoneRecord, ttl: number | undefined): string {
  return `${nameKey(owner)} ${ttl} ${type} ${canonical({ type, data })}`;
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
