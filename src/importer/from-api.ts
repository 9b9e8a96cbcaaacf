import type { LiveRecord, LiveZone } from "../zone/desired-live.ts";
import type { Zone, ZoneRecord, ZoneSettings } from "../zone/zone.ts";

/**
 * A stored zone as one that can be written to a file: ids left out, and settings that only repeat what the service takes
 * without them. `defaults` fill what the file leaves open, so what differs from them is written in any case.
 */
export function zoneFromLive({ name, settings, records }: LiveZone, defaults: ZoneSettings = {}): Zone {
  const all = settings.type === "slave" ? serviceDefaults : { ...serviceDefaults, ...defaults };
  const given = Object.entries(settings).filter(
    ([setting, value]) => JSON.stringify(value) !== JSON.stringify(all[setting as keyof ZoneSettings]),
  );
  return {
    name,
    settings: Object.fromEntries(given) as ZoneSettings,
    records: records.map(withoutId),
    places: {},
    dotlessTargets: [],
  };
}

const serviceDefaults: Required<ZoneSettings> = {
  type: "master",
  status: "active",
  description: "",
  group: "",
  soa_email: "",
  ttl_sec: 0,
  refresh_sec: 0,
  retry_sec: 0,
  expire_sec: 0,
  master_ips: [],
  axfr_ips: [],
  tags: [],
};

function withoutId({ id, ...record }: LiveRecord): ZoneRecord {
  return record;
}
