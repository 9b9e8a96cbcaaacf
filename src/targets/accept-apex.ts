import { problem } from "../diagnostics/problem.ts";
import { type Name, shownName, withoutDot } from "../dns/name/name.ts";
import type { DesiredRecord } from "../dns/zone/desired-live.ts";
import { copyRecord, isType, type Zone } from "../dns/zone/zone.ts";
import type { Setting } from "../dns/zone/zone-settings.ts";
import { apexServers, implicitSoa } from "../formats/kit/implicit-records.ts";
import { acceptPlain, type PlainForm } from "./accept-plain.ts";
import { settingsOfSoa } from "./settings-of-soa.ts";
import type { Accepted, Capabilities } from "./target.ts";
import { defaultTtl, ttlSetting } from "./usual-ttl.ts";
import { withoutSerial } from "./without-serial.ts";

/** The settings of files without an SOA record, for services whose SOA record is ours. */
export const apexSettings: readonly Setting[] = [
  { name: "soa_email", ...settingsOfSoa.soa_email },
  { ...ttlSetting, isInherited: true },
  { name: "refresh_sec", ...settingsOfSoa.refresh_sec },
  { name: "retry_sec", ...settingsOfSoa.retry_sec },
  { name: "expire_sec", ...settingsOfSoa.expire_sec },
];

/** A zone as a service stores it that has the SOA record and the name servers of its file. */
export function acceptWithApex(
  zone: Zone,
  capabilities: Pick<Capabilities, "settings" | "apex" | "ids">,
  form: Pick<PlainForm, "store"> = {},
): Accepted {
  const { desired, problems } = acceptPlain(zone, capabilities, { defaultTtl, ...form });
  const servers = apexServers(zone);
  const records = [soaOf(zone, servers), ...desired.records];
  if (servers.length > 0) return { desired: { ...desired, records }, problems };
  const place = zone.places.zone ?? (zone.file === undefined ? undefined : { file: zone.file, ...start });
  const missing = problem("no-name-servers", `${shownName(withoutDot(zone.name))} has no NS records of its own`, {
    fix: "Add an NS record for each of its name servers at the apex.",
    owner: zone.name,
    place,
  });
  return { desired: { ...desired, records }, problems: [...problems, missing] };
}

const start = { line: 1, column: 1, length: 1 };

/** The SOA record of the file, or one of its settings and name servers; its serial is 0. */
export function soaOf(
  zone: Pick<Zone, "name" | "settings" | "records">,
  servers: readonly Name[] = apexServers(zone),
): DesiredRecord {
  const soa = zone.records.find((record) => isType(record, "SOA")) ?? implicitSoa(zone, servers, apexSettings);
  return withoutSerial(copyRecord(soa, { ttl: soa.ttl ?? zone.settings.ttl_sec ?? defaultTtl }));
}
