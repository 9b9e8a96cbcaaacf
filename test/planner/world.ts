import { roundTtl, type TtlProfile } from "../../src/contract/ttl.ts";
import { hasErrors, ProblemError } from "../../src/diagnostics/problem.ts";
import { splitText } from "../../src/dns/name/text.ts";
import { txtText } from "../../src/dns/policies/kind.ts";
import { asId, type DesiredZone, type LiveZone } from "../../src/dns/zone/desired-live.ts";
import { isType, type Zone } from "../../src/dns/zone/zone.ts";
import type { ZoneSettings } from "../../src/dns/zone/zone-settings.ts";
import { accept, acceptOpen } from "../../src/targets/api/accept.ts";
import { apiTimes } from "../../src/targets/api/settings.ts";
import { readBind } from "../formats/api.ts";
import { domainName } from "../names.ts";

export const origin = domainName("example.com.");

/** A zone from lines of a master file; `$TTL 3600` unless it says otherwise, settings as `;@ name: value`. */
export function zoneOf(text: string, name: string = origin, file = "zones/example.com.zone"): Zone {
  const defaults = text.startsWith("$TTL") ? "" : "$TTL 3600\n";
  const bytes = Buffer.from(`${defaults}${text}\n;@ soa_email: ops@example.com\n`);
  const { zone, problems } = readBind({ file, bytes, origin: domainName(name) });
  if (hasErrors(problems)) throw new ProblemError(problems);
  return zone;
}

export function desiredOf(text: string, name: string = origin, file?: string): DesiredZone {
  const { desired, problems } = accept(zoneOf(text, name, file));
  if (hasErrors(problems)) throw new ProblemError(problems);
  return desired;
}

/** A zone as `desiredOf` gives it; with ALIAS records, that of a target with open records. */
export function desiredOpenOf(text: string, name: string = origin): DesiredZone {
  return text.includes(" ALIAS ") ? acceptOpen(zoneOf(text, name)).desired : desiredOf(text, name);
}

/** The zone as a service of this profile stores it: without SOA and apex NS, duplicates too; ids count from 1. */
export function liveOf(text: string, profile: TtlProfile = "documented", name: string = origin): LiveZone {
  return stored(zoneOf(text, name), profile);
}

export function stored({ name, settings, records }: Zone, profile: TtlProfile = "documented"): LiveZone {
  return {
    name,
    id: asId(1),
    defaultTimes: apiTimes,
    settings: storedSettings(settings, profile),
    records: records
      .filter(({ owner, type }) => type !== "SOA" && (type !== "NS" || owner !== name))
      .map((record, index) => ({
        id: asId(index + 1),
        owner: record.owner,
        type: record.type,
        ttl: record.ttl === undefined ? undefined : roundTtl(record.ttl, profile),
        data: isType(record, "TXT") ? { strings: splitText(txtText(record)) } : record.data,
      })),
  };
}

/** Settings as a new domain has them: what is not sent is the service's default. */
export function storedSettings(settings: ZoneSettings, profile: TtlProfile = "documented"): Required<ZoneSettings> {
  const times = { ttl_sec: 0, refresh_sec: 0, retry_sec: 0, expire_sec: 0 };
  for (const name of Object.keys(times) as (keyof typeof times)[]) times[name] = roundTtl(settings[name] ?? 0, profile);
  return {
    type: "master",
    soa_email: "",
    description: "",
    status: "active",
    tags: [],
    group: "",
    axfr_ips: [],
    master_ips: [],
    ...settings,
    ...times,
  };
}
