import { type Name, nameKey, withLabel } from "../../dns/name/name.ts";
import { emailToName, isMailbox } from "../../dns/types/soa.ts";
import { isType, unsetNameservers, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import { defaultTimes, type Setting } from "../../dns/zone/zone-settings.ts";

/**
 * The SOA record of a zone without one. Times that neither the zone nor the service sets are defaults of the hosted
 * API.
 */
export function implicitSoa(
  { name, settings }: Pick<Zone, "name" | "settings">,
  nameservers: readonly Name[],
  known: readonly Setting[],
): ZoneRecord<"SOA"> {
  const { soa_email = "" } = settings;
  const usual = { refresh_sec: 14_400, retry_sec: 14_400, expire_sec: 1_209_600, ...defaultTimes(known) };
  const data = {
    mname: nameservers[0] ?? withLabel("ns1", name),
    // An invalid e-mail address stays in the settings, and the limits reject it.
    rname: isMailbox(soa_email) ? emailToName(soa_email) : withLabel("hostmaster", name),
    serial: 1,
    refresh: settings.refresh_sec || usual.refresh_sec,
    retry: settings.retry_sec || usual.retry_sec,
    expire: settings.expire_sec || usual.expire_sec,
    minimum: settings.ttl_sec || usual.ttl_sec,
  };
  return { owner: name, type: "SOA", ttl: undefined, data };
}

/** The name servers of the zone, in the order of its NS records at the apex. */
export function apexServers({ name, records }: Pick<Zone, "name" | "records">): readonly Name[] {
  const apex = nameKey(name);
  return records.flatMap((record) =>
    isType(record, "NS") && nameKey(record.owner) === apex ? [record.data.nsdname] : [],
  );
}

/** The name servers for the SOA record of a zone without one: those of the service if they are known, or its own. */
export function implicitServers(zone: Zone, ofService: readonly Name[] | undefined): readonly Name[] {
  if (ofService) return ofService;
  const own = apexServers(zone);
  return own.length > 0 ? own : unsetNameservers;
}
