import { nameKey } from "../../dns/name/name.ts";
import { isOtherTime, type LiveZone } from "../../dns/zone/desired-live.ts";
import { soaSettings } from "../../dns/zone/soa-settings.ts";
import { canonical, copyRecord, isType, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import { findSetting, type SettingValue, type ZoneSettings } from "../../dns/zone/zone-settings.ts";
import type { TargetKind } from "../../targets/target.ts";

type FileKind = Pick<TargetKind, "accept" | "capabilities" | "fileSettings">;

/**
 * Merges a live zone into its file: records and settings that the service stores as written keep the spelling of the
 * file, records that the service does not support are kept, and everything else is replaced by the live data.
 * Settings that the service does not have stay. `defaults` apply to settings that the file omits; `wanted` is
 * the live zone in the form of a file.
 */
export function zoneIntoFile(
  file: Zone,
  live: LiveZone,
  wanted: Zone,
  { kind, defaults }: { readonly kind: FileKind; readonly defaults: ZoneSettings },
): Zone {
  const { accept } = kind;
  const { desired } = accept({ ...file, settings: { ...defaults, ...file.settings }, records: [] });
  const isKnown = new Set(kind.capabilities.settings.map(({ name }) => name));
  const settings: Record<string, SettingValue> = {};
  for (const [name, value] of Object.entries(file.settings))
    if (value !== undefined && !isKnown.has(name)) settings[name] = value;
  const usualTtl = isKnown.has("ttl_sec") ? undefined : usualTtlOf(file, { kind, defaults });
  for (const name of Object.keys(live.settings)) {
    const stored = live.settings[name];
    const isSame = isEqual(desired.settings[name], stored) || isOtherTime(desired, name, stored);
    const value = isSame ? file.settings[name] : wanted.settings[name];
    if (value !== undefined) settings[name] = value;
  }
  const found = new Set<ZoneRecord>();
  const byContent = new Map<string, ZoneRecord>(
    wanted.records.map((record) => [contentOf(record, record.ttl), record]),
  );
  const kept = file.records.filter((record) => {
    // A service to which the SOA record is sent gets one with each zone.
    const accepted = accept({ ...file, records: [record] }).desired.records.find(({ type }) => type === record.type);
    if (!accepted) return live.settings.type !== "slave"; // not sent to the service: SOA, apex NS, unsupported types
    const ttls = [accepted.ttl, accepted.otherTtl ?? accepted.ttl, accepted.fileTtl ?? accepted.ttl];
    const stored = ttls.map((ttl) => byContent.get(contentOf(accepted, ttl))).find((record) => record !== undefined);
    if (stored) found.add(stored);
    return stored !== undefined;
  });
  const added = wanted.records
    .filter((record) => !found.has(record))
    .map((record) =>
      record.ttl !== undefined && record.ttl === usualTtl ? copyRecord(record, { ttl: undefined }) : record,
    );
  return withSoa({ ...file, settings, records: [...kept, ...added] }, file, { kind, defaults });
}

/** The TTL of records without one, if the file has such records or states it. */
function usualTtlOf(
  { settings, records }: Zone,
  { kind: { fileSettings = [] }, defaults }: { readonly kind: FileKind; readonly defaults: ZoneSettings },
): number | undefined {
  if (settings.ttl_sec !== undefined || [...records].every(({ ttl }) => ttl !== undefined)) return settings.ttl_sec;
  const known = findSetting(fileSettings, "ttl_sec")?.default;
  return defaults.ttl_sec ?? (typeof known === "number" ? known : undefined);
}

/**
 * The merged zone with the SOA record that a service has of it: with the serial of the file, which no service compares,
 * and as settings where these give the same record.
 */
function withSoa(
  merged: Zone,
  { records }: Pick<Zone, "records">,
  { kind: { accept, fileSettings = [] }, defaults }: { readonly kind: FileKind; readonly defaults: ZoneSettings },
): Zone {
  const fresh = merged.records.find((record) => isType(record, "SOA"));
  const old = records.find((record) => isType(record, "SOA"));
  if (!fresh || fresh === old) return merged;
  const others = merged.records.filter((record) => record !== fresh);
  const soaOf = (settings: ZoneSettings) =>
    accept({ ...merged, settings: { ...defaults, ...settings }, records: others }).desired.records.find((record) =>
      isType(record, "SOA"),
    );
  const implicit = old ? undefined : soaOf(merged.settings);
  if (implicit) {
    const before: ZoneSettings = soaSettings(implicit, fileSettings);
    const changed = Object.entries(soaSettings(fresh, fileSettings)).filter(([name, value]) => value !== before[name]);
    const settings = { ...merged.settings, ...Object.fromEntries(changed) };
    const soa = soaOf(settings);
    if (soa && contentOf(soa, soa.ttl) === contentOf(fresh, fresh.ttl ?? soa.ttl))
      return { ...merged, settings, records: others };
  }
  const { serial } = old?.data ?? { serial: 1 };
  return { ...merged, records: [copyRecord(fresh, { data: { ...fresh.data, serial } }), ...others] };
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
