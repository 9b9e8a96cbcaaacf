import { isRoot, type Name } from "../../dns/name/name.ts";
import { isType, type ZoneRecord } from "../../dns/zone/zone.ts";

/** Labels of letters, digits and inner hyphens (RFC 952, RFC 1123 §2.1). */
const hostName = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+$/i;

/**
 * The target of a record that has to be a host name in the API, and is none: PowerDNS 4.7 requires it of NS, MX and SRV
 * records, of which MX and SRV may also have the root (2026-11).
 */
export function findWrongHost(record: ZoneRecord): Name | undefined {
  const target = targetOf(record);
  if (target === undefined || hostName.test(target)) return undefined;
  return isRoot(target) && record.type !== "NS" ? undefined : target;
}

function targetOf(record: ZoneRecord): Name | undefined {
  if (isType(record, "NS")) return record.data.nsdname;
  if (isType(record, "MX")) return record.data.exchange;
  return isType(record, "SRV") ? record.data.target : undefined;
}
