import { type ApiErrorEntry, reasons } from "../../../contract/errors.ts";
import type { DomainUpdate } from "../../../contract/resources/domain.ts";
import { roundTtl, type TtlProfile } from "../../../contract/ttl.ts";
import { plainAddress } from "../../../dns/name/address.ts";
import { type ApiTime, blankApiSettings } from "../../../targets/api/settings.ts";
import { errorEntry } from "../../kit/api-error.ts";
import { isHostname, longestName } from "../../kit/name.ts";
import { isIpAddress, notAnAddress } from "../../kit/target.ts";
import type { DomainColumns, DomainRow } from "../../store/tables.ts";

/** Limit on the records of a domain (decisions/service#domains). */
export const mostRecordsOfDomain = 12_000;
export const tooManyRecords = `A domain holds at most ${mostRecordsOfDomain.toLocaleString("en")} records.`;

/** Octets from which a target is long; a shorter one is a single string of a TXT record. */
export const longTarget = 256;

/**
 * Limit on the octets of all long targets of a domain together: 699 for each of 12,000 records. A zone is rendered into
 * one text with up to four characters per octet, which would exceed the longest string of V8 without a limit.
 */
export const usualTextRoom = 2 ** 23;

export function tooMuchText(room: number): string {
  return `The targets of ${longTarget} octets and more in a domain may have at most ${room.toLocaleString("en")} octets in total.`;
}

/** Octets of a long target; 0 for others. */
export function textIn(target: string): number {
  const octets = Buffer.byteLength(target);
  return octets < longTarget ? 0 : octets;
}

/** The stored fields of a domain that a request may set, except its tags. */
export interface DomainFields
  extends Pick<DomainRow, "domain" | "type" | "status" | "description" | "group" | "soa_email" | ApiTime> {
  master_ips: readonly string[];
  axfr_ips: readonly string[];
}

/** The fields of a stored domain. */
export function fieldsOf(row: DomainRow): DomainFields {
  return { ...row, master_ips: JSON.parse(row.master_ips), axfr_ips: JSON.parse(row.axfr_ips) };
}

/** The columns that store the fields of a domain. */
export function domainColumnsOf(fields: DomainFields): Omit<DomainColumns, "account_id" | "created" | "updated"> {
  return {
    ...fields,
    domain_key: fields.domain.toLowerCase(),
    master_ips: JSON.stringify(fields.master_ips),
    axfr_ips: JSON.stringify(fields.axfr_ips),
  };
}

/**
 * A domain as it will be stored, with the errors of its fields. `stored` is the domain to change; absent and null
 * fields leave it unchanged (decisions/service#domains).
 */
export function readDomain(
  sent: DomainUpdate,
  stored: DomainFields | undefined,
  profile: TtlProfile,
): { fields: DomainFields; errors: ApiErrorEntry[] } {
  const was = stored ?? { ...blankApiSettings, domain: "" };
  const time = (seconds: number | null | undefined, before: number) =>
    typeof seconds === "number" ? roundTtl(seconds, profile) : before;
  const fields: DomainFields = {
    domain: sent.domain ?? was.domain,
    type: sent.type ?? was.type,
    status: sent.status ?? was.status,
    description: sent.description ?? was.description,
    group: sent.group ?? was.group,
    soa_email: sent.soa_email ?? was.soa_email,
    ttl_sec: time(sent.ttl_sec, was.ttl_sec),
    refresh_sec: time(sent.refresh_sec, was.refresh_sec),
    retry_sec: time(sent.retry_sec, was.retry_sec),
    expire_sec: time(sent.expire_sec, was.expire_sec),
    master_ips: sent.master_ips ?? was.master_ips,
    axfr_ips: sent.axfr_ips ?? was.axfr_ips,
  };
  return { fields, errors: errorsOf(fields) };
}

function errorsOf({ domain, type, soa_email, master_ips, axfr_ips }: DomainFields): ApiErrorEntry[] {
  return [
    ...domainNameErrors(domain),
    ...(type === "master" && soa_email === "" ? [errorEntry("soa_email", "soa_email required when type=master")] : []),
    ...(soa_email === "" || isEmailAddress(soa_email) ? [] : [errorEntry("soa_email", "Must be an e-mail address")]),
    ...(type === "slave" && master_ips.length === 0 ? [errorEntry("master_ips", noMaster)] : []),
    ...addresses("master_ips", master_ips),
    ...addresses("axfr_ips", axfr_ips),
    ...repeatedErrors("axfr_ips", axfr_ips),
  ];
}

const noMaster = "You need at least one master DNS server IP address for this zone.";

export function domainNameErrors(domain: string): ApiErrorEntry[] {
  if (domain === "") return [errorEntry("domain", "Domain is required.")];
  return isDomain(domain) ? [] : [errorEntry("domain", reasons.domainNotValid)];
}

/**
 * Two labels or more, the last not a number, optionally below `*`; with underscores, `xn--`, and inner slashes (RFC
 * 2317 §4).
 */
function isDomain(domain: string): boolean {
  const labels = domain.replace(/^\*\./, "").split(".");
  const fit = labels.every((label) => /^\w([\w/-]{0,61}\w)?$/.test(label));
  return fit && labels.length > 1 && domain.length <= longestName && !/\.\d+$/.test(domain);
}

/** Whether an SOA record can name the mailbox: its local part becomes one label (RFC 1035 §8). */
export function isEmailAddress(email: string): boolean {
  const at = email.lastIndexOf("@");
  const host = email.slice(at + 1);
  return /^[!-?A-~]{1,63}$/.test(email.slice(0, Math.max(0, at))) && isHostname(host) && email.length <= longestName;
}

/** Errors for addresses that repeat an earlier one, in any spelling. */
function repeatedErrors(field: string, list: readonly string[]): ApiErrorEntry[] {
  const keys = list.map((address) => (isIpAddress(address) ? plainAddress(address) : undefined));
  return keys.flatMap((key, index) =>
    key !== undefined && keys.indexOf(key) < index ? [errorEntry(`${field}[${index}]`, "Must be unique")] : [],
  );
}

function addresses(field: string, list: readonly string[]): ApiErrorEntry[] {
  return list.flatMap((address, index) =>
    isIpAddress(address) ? [] : [errorEntry(`${field}[${index}]`, notAnAddress)],
  );
}
