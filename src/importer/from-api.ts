import type { LiveRecord, LiveZone } from "../zone/desired-live.ts";
import type { Zone, ZoneRecord, ZoneSettings } from "../zone/zone.ts";

/** A stored zone as one that can be written to a file: ids left out, and settings that only repeat a default. */
export function zoneFromLive({ name, settings, records }: LiveZone): Zone {
  const given = Object.entries(settings).filter(([, value]) => !isDefault(value));
  return {
    name,
    settings: Object.fromEntries(
      given.filter(
        ([key, value]) => !(key === "type" && value === "master") && !(key === "status" && value === "active"),
      ),
    ) as ZoneSettings,
    records: records.map(withoutId),
    places: {},
    dotlessTargets: [],
  };
}

function isDefault(value: unknown): boolean {
  return value === "" || value === 0 || (Array.isArray(value) && value.length === 0);
}

function withoutId({ id, ...record }: LiveRecord): ZoneRecord {
  return record;
}
