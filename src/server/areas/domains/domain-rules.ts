import { type ApiErrorEntry, reasons } from "../../../contract/errors.ts";
import type { DomainUpdate } from "../../../contract/resources/domain.ts";
import type { ApiRecordType } from "../../../contract/resources/record.ts";
import { roundTtl } from "../../../contract/ttl.ts";
import { besideCname } from "../../../dns/lookup/lookup.ts";
import { plainAddress } from "../../../dns/name/address.ts";
import { isApiType } from "../../../targets/api/mapping.ts";
import { type ApiTime, blankApiSettings } from "../../../targets/api/settings.ts";
import type { Profile, Settings } from "../../entities/context.ts";
import { errorEntry } from "../../kit/api-error.ts";
import {
  addressErrors,
  caaErrors,
  hostnameErrors,
  isHostname,
  isIpAddress,
  longestName,
  nameErrors,
  notAnAddress,
  relativeName,
  textErrors,
} from "../../kit/name.ts";
import type { DomainColumns, DomainRow, RecordRow } from "../../store/tables.ts";
import type { RecordAtName } from "../zones/records-rows.ts";

export function tooManyRecords(most: number): string {
  return `A domain holds at most ${most.toLocaleString("en")} records.`;
}

/** Octets from which a target is long; a shorter one is a single string of a TXT record. */
export const longTarget = 256;

/**
 * Limit on the octets of all long targets of a domain together: 699 for each of 12,000 records. A zone is rendered into
 * one text with up to four characters per octet, which would exceed the longest string of V8 without a limit.
 */
export const defaultTextRoom = 2 ** 23;

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
  { profile, records }: Pick<Settings, "profile" | "records">,
): { fields: DomainFields; errors: ApiErrorEntry[] } {
  const was = stored ?? { ...blankApiSettings, domain: "" };
  const time = (seconds: number | null | undefined, before: number) =>
    typeof seconds === "number" ? roundTtl(seconds, profile, records) : before;
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

/** The fields of a record in a request; absent and null leave the stored value unchanged. */
export type SentRecord = { [K in keyof RecordFields]?: RecordFields[K] | null | undefined };

/**
 * A record as it will be stored, with the errors of its fields. `stored` is the record to change; fields that the
 * request does not set stay unchanged (decisions/service#records).
 */
export function readRecord(
  type: ApiRecordType,
  sent: SentRecord,
  stored: RecordFields | undefined,
  zone: RecordPlacement,
): { fields: RecordFields; errors: ApiErrorEntry[] } {
  const rules = rulesOf(type);
  const given = changesBy(sent, stored);
  const known = mapRecordFields((field) => given[field] ?? stored?.[field] ?? blankRecord[field]) as RecordFields;
  const missing = missingFields(rules, given, stored);
  const isSrv = type === "SRV";
  const fields: RecordFields = {
    ...known,
    name: srvNameOf(type, known) ?? (given.name === undefined ? known.name : relativeName(given.name, zone.domain)),
    target: given.target === undefined ? known.target : rules.target(given.target, zone),
    rdata: null,
    ...(zone.profile === "live" && {
      priority: isSrv || type === "MX" ? known.priority : 0,
      weight: isSrv ? known.weight : 0,
      port: isSrv ? known.port : 0,
    }),
    service: isSrv ? known.service : null,
    protocol: isSrv ? known.protocol : null,
    tag: type === "CAA" ? known.tag : null,
  };
  const found = [
    ...(srvNameOf(type, known) === undefined ? nameErrors(fields.name, zone.domain) : []),
    ...rules.errors(fields, zone),
  ];
  const errors = [
    ...missing.map(missingError),
    ...found.filter(({ field }) => !missing.some((name) => name === field)),
  ];
  return { fields, errors };
}

function missingFields(
  { required }: Pick<TypeRules, "required">,
  given: Partial<RecordFields>,
  stored: RecordFields | undefined,
): (keyof RecordFields)[] {
  return required.filter((field) => (given[field] ?? stored?.[field] ?? null) === null);
}

function missingError(field: string): ApiErrorEntry {
  return errorEntry(field, `${field} is required`);
}

/** Errors for fields without which a record of a type has no data. */
export function missingErrors(
  type: string,
  given: Partial<RecordFields>,
  stored: RecordFields | undefined,
): ApiErrorEntry[] {
  return missingFields(isApiType(type) ? rules[type] : { required: ["target"] }, given, stored).map(missingError);
}

export const blankRecord: RecordFields = {
  name: "",
  target: "",
  priority: 0,
  weight: 0,
  port: 0,
  service: null,
  protocol: null,
  tag: null,
  rdata: null,
};

/** The fields that the request changes. A name sent back as read is unchanged, even if it ends in the domain. */
export function changesBy(sent: SentRecord, stored: RecordFields | undefined): Partial<RecordFields> {
  return mapRecordFields((field) => (sent[field] === stored?.[field] ? undefined : (sent[field] ?? undefined)));
}

/** The fields of a record with these values. */
export function mapRecordFields(value: (field: keyof RecordFields) => unknown): Partial<RecordFields> {
  const fields = Object.keys(blankRecord) as (keyof RecordFields)[];
  return Object.fromEntries(fields.map((field) => [field, value(field)]));
}

/**
 * `_service._protocol` (RFC 2782), or that of the two which an SRV record has; labels after the first dot of the
 * protocol are below it. A record without both has the name of the request: undefined.
 */
export function srvNameOf(type: string, { service, protocol }: RecordFields): string | undefined {
  const parts = type === "SRV" ? [service, protocol].filter((part) => part !== null) : [];
  return parts.length === 0 ? undefined : parts.map(addUnderscore).join(".");
}

function addUnderscore(label: string): string {
  return label.startsWith("_") ? label : `_${label}`;
}

/** Conflicts of a record with the others at its name (decisions/service#records). */
export function neighborErrors(record: RecordAtName, others: readonly RecordAtName[]): ApiErrorEntry[] {
  const isBeside = ({ type }: RecordAtName) => besideCname.has(type);
  if (!isBeside(record) && others.some((one) => !isBeside(one) && (one.type === "CNAME" || record.type === "CNAME"))) {
    return [errorEntry("name", reasons.cnameConflict)];
  }
  const clash = clashOf(record, others);
  if (clash !== undefined) return [errorEntry("name", clash)];
  const exchanges = others.filter(({ type }) => type === "MX");
  if (record.type !== "MX" || exchanges.length === 0) return [];
  if (exchanges.some(({ target }) => target === "")) {
    return [errorEntry("type", reasons.nullMxExists)];
  }
  return record.target === "" ? [errorEntry("type", reasons.mxExists)] : [];
}

/** Why a record that stands for others cannot be beside these. */
function clashOf({ type }: RecordAtName, others: readonly RecordAtName[]): string | undefined {
  const has = (...types: readonly string[]) => others.some((other) => types.includes(other.type));
  if (type === "ALIAS" && has("ALIAS")) return "A name has at most one ALIAS record";
  if (type === "ALIAS" && has("A", "AAAA"))
    return "An ALIAS record answers for A and AAAA, of which the name has records";
  if ((type === "A" || type === "AAAA") && has("ALIAS"))
    return "The name has an ALIAS record, which answers for A and AAAA";
  return type === "DNAME" && has("DNAME") ? "A name has at most one DNAME record (RFC 6672)" : undefined;
}

/** The stored fields of a record that its type has rules for. */
export type RecordFields = Pick<
  RecordRow,
  "name" | "target" | "priority" | "weight" | "port" | "service" | "protocol" | "tag" | "rdata"
>;

/** The domain of a record, the caller's address, and the behaviour of the service. */
export interface RecordPlacement {
  readonly domain: string;
  readonly profile: Profile;
  readonly remoteAddress: string | undefined;
}

interface TypeRules {
  readonly required: readonly (keyof RecordFields)[];
  /** The stored form of a target in a request. */
  target(sent: string, zone: RecordPlacement): string;
  errors(record: RecordFields, zone: RecordPlacement): ApiErrorEntry[];
}

export function rulesOf(type: ApiRecordType): TypeRules {
  return rules[type];
}

/** The rules of each type (decisions/service#records). */
const rules: Record<ApiRecordType, TypeRules> = {
  A: { required: ["target"], target: callersAddress, errors: ({ target }) => addressErrors(target, 4) },
  AAAA: { required: ["target"], target: callersAddress, errors: ({ target }) => addressErrors(target, 6) },
  CNAME: {
    required: ["target"],
    target: withoutDot,
    errors: ({ name, target }) => [
      ...(name === "" ? [errorEntry("name", "A CNAME needs a name below the domain")] : []),
      ...hostnameErrors(target),
    ],
  },
  MX: {
    required: ["target"],
    target: withoutDot,
    // An empty target is the null MX of RFC 7505: the name accepts no mail. The service describes it at the apex only,
    // but real zones also need it below.
    errors: ({ target }) => (target === "" ? [] : hostnameErrors(target)),
  },
  NS: {
    required: ["target"],
    target: withoutDot,
    errors: ({ name, target }) => [...delegationErrors(name), ...hostnameErrors(target)],
  },
  PTR: { required: ["target"], target: withoutDot, errors: ({ target }) => hostnameErrors(target) },
  TXT: { required: ["target"], target: keepText, errors: ({ target }) => textErrors(target) },
  SRV: {
    required: ["port", "priority", "weight", "target"],
    target: serverOfService,
    errors: srvErrors,
  },
  CAA: {
    required: ["tag", "target"],
    target: keepText,
    errors: ({ tag, target }) => (tag === null ? [] : caaErrors(tag, target)),
  },
};

function keepText(sent: string): string {
  return sent;
}

function withoutDot(sent: string): string {
  return sent.replace(/\.$/, "");
}

function callersAddress(sent: string, { remoteAddress }: RecordPlacement): string {
  return sent === "[remote_addr]" ? (remoteAddress ?? sent) : sent;
}

/**
 * `.`, a service that is not offered (RFC 2782), is stored as an empty target; a single label is a host of the zone.
 */
function serverOfService(sent: string, { domain }: RecordPlacement): string {
  const host = withoutDot(sent);
  return host === "" || host.includes(".") ? host : `${host}.${domain}`;
}

function delegationErrors(name: string): ApiErrorEntry[] {
  if (name === "") {
    return [
      errorEntry("name", "The name servers of the domain itself are the service's own; name a subdomain to delegate"),
    ];
  }
  return name.startsWith("*") ? [errorEntry("name", "A wildcard cannot be delegated")] : [];
}

function srvErrors({ name, service, protocol, target }: RecordFields, { domain }: RecordPlacement): ApiErrorEntry[] {
  const parts = [
    ...labelErrors("service", service, domain),
    ...(service?.includes(".") ? [errorEntry("service", "Must be one label")] : []),
    ...labelErrors("protocol", protocol, domain),
  ];
  return [
    ...(parts.length > 0 || (service === null && protocol === null)
      ? parts
      : nameErrors(name, domain, protocol === null ? "service" : "protocol")),
    ...(target === "" ? [] : hostnameErrors(target)),
  ];
}

function labelErrors(field: "service" | "protocol", value: string | null, domain: string): ApiErrorEntry[] {
  if (value === null) return [];
  const text = value.replace(/^_/, "");
  return text === "" ? [errorEntry(field, `${field} is required`)] : nameErrors(`_${text}`, domain, field);
}
