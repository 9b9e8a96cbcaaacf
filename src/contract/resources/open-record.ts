import * as z from "zod";
import { type ApiRecordType, longestTarget, record, recordUpdate } from "./record.ts";

export type { RecordsSetting } from "../records-setting.ts";

const typeText = "a mnemonic such as TLSA, ALIAS for the addresses of another name, or TYPE and a number (RFC 3597)";

const texts = {
  target:
    "Data of the record: an address, a name, a text, or the value of a CAA record; of all other types, their rdata",
  rdata:
    "RDATA in presentation form (RFC 1035 §5.1), without an origin: every name is absolute, with or without its final dot",
  flags: "CAA: flags of the property; 128 for a critical one",
};

/** A record in replies of a server that holds records of every type. */
export const openRecord = record.extend({
  type: z.string().describe(`Type of the record: ${typeText}`),
  name: record.shape.name.describe(
    "Relative to the domain, with escapes as in zone files (RFC 1035 §5.1); empty for its apex",
  ),
  target: record.shape.target.describe(texts.target),
  priority: z.int().min(0).max(65535).describe("MX and SRV: lower is preferred"),
  tag: z.string().nullable().describe("CAA: tag of the property"),
  flags: z.int().min(0).max(255).describe(texts.flags),
  rdata: z.string().describe(texts.rdata),
});

/**
 * A record in replies of a server whose records are documented: one that was made while they were open has its data as
 * well, if the documented fields lack a part of it.
 */
export const formerlyOpenRecord = record.extend({ rdata: z.string().optional() });

const range = (max: number) => z.int().min(0, `Must be 0-${max}`).max(max, `Must be 0-${max}`).nullish();
const typeError = { error: "type is required" };
/** Four characters for each octet of the longest RDATA. */
const longestRdata = 4 * longestTarget;
/** Four characters for each octet of the longest name. */
const longestName = 1020;

/** `PUT /domains/{domainId}/records/{recordId}` of such a server. */
export const openRecordUpdate = recordUpdate.extend({
  type: z.string().nullish().describe("The type of the record, which cannot change"),
  name: z
    .string()
    .max(longestName, `Length must be 0-${longestName} characters`)
    .nullish()
    .describe(
      "Relative to the domain, with escapes as in zone files; empty for its apex. If the name ends in the domain, that part is removed.",
    ),
  target: z.string().max(longestRdata, `Length must be 0-${longestRdata} characters`).nullish().describe(texts.target),
  priority: range(65535).describe("MX and SRV: lower is preferred"),
  tag: z.string().nullish().describe("CAA: tag of the property"),
  flags: range(255).describe(texts.flags),
  rdata: z
    .string()
    .max(longestRdata, `Length must be 0-${longestRdata} characters`)
    .nullish()
    .describe(`${texts.rdata}. It replaces all other fields of the data.`),
  ttl_sec: recordUpdate.shape.ttl_sec.describe("Seconds; 0 means the domain's ttl_sec"),
});

/** `POST /domains/{domainId}/records` of such a server. */
export const openNewRecord = openRecordUpdate.extend({
  type: z.string(typeError).describe(`Type of the record: ${typeText}`),
});

/** The types with a mnemonic that only open servers hold, and whose `target` is their data in presentation form. */
export const otherRecordTypes = [
  "A6",
  "AFSDB",
  "ALIAS",
  "AMTRELAY",
  "APL",
  "ATMA",
  "AVC",
  "BRID",
  "CDNSKEY",
  "CDS",
  "CERT",
  "CLA",
  "CSYNC",
  "DHCID",
  "DLV",
  "DNAME",
  "DNSKEY",
  "DOA",
  "DS",
  "DSYNC",
  "EID",
  "EUI48",
  "EUI64",
  "GPOS",
  "HHIT",
  "HINFO",
  "HIP",
  "HTTPS",
  "IPN",
  "IPSECKEY",
  "ISDN",
  "KEY",
  "KX",
  "L32",
  "L64",
  "LOC",
  "LP",
  "MB",
  "MG",
  "MINFO",
  "MR",
  "NAPTR",
  "NID",
  "NIMLOC",
  "NINFO",
  "NSAP",
  "NSAP-PTR",
  "NSEC",
  "NSEC3",
  "NSEC3PARAM",
  "NXT",
  "OPENPGPKEY",
  "PX",
  "RESINFO",
  "RKEY",
  "RP",
  "RRSIG",
  "RT",
  "SIG",
  "SINK",
  "SMIMEA",
  "SPF",
  "SSHFP",
  "SVCB",
  "TA",
  "TALINK",
  "TLSA",
  "URI",
  "WALLET",
  "WKS",
  "X25",
  "ZONEMD",
] as const;

/** A type of a record: those of the documents, others with a mnemonic, and all by their numbers. */
export type OpenRecordType = ApiRecordType | (typeof otherRecordTypes)[number] | `TYPE${number}`;

type AnyOpenRecord = z.output<typeof openRecord>;

/** The fields that the data of these types has beside `target`; that of all others is in `target` alone. */
export interface MoreFieldsOfTypes {
  MX: "priority";
  SRV: "priority" | "weight" | "port" | "service" | "protocol";
  CAA: "tag" | "flags";
}
type FieldsOf<T> = "target" | (T extends keyof MoreFieldsOfTypes ? MoreFieldsOfTypes[T] : never);

/** A record of an open server of a type; the fields of other types are null or 0. */
export type OpenRecordOf<T extends OpenRecordType> = T extends unknown
  ? Omit<AnyOpenRecord, "type" | "tag" | "service" | "protocol"> & {
      readonly type: T;
      readonly tag: T extends "CAA" ? string : null;
      readonly service: T extends "SRV" ? string | null : null;
      readonly protocol: T extends "SRV" ? string | null : null;
    }
  : never;

/** A record of an open server, as a union by type. */
export type OpenRecord = OpenRecordOf<OpenRecordType>;

type Sent = z.input<typeof openNewRecord>;
type OptionalField = "service" | "protocol" | "flags";

/** The fields of the data of a type, for a record to create. */
export type NewOpenRecordOf<T extends OpenRecordType> = T extends unknown
  ? { readonly type: T } & { readonly [F in Exclude<FieldsOf<T>, OptionalField>]: NonNullable<Sent[F]> } & {
      readonly [F in Extract<FieldsOf<T>, OptionalField>]?: Sent[F];
    }
  : never;

/** A record for an open server, with the fields of its type, or with its data in `rdata`. */
export type NewOpenRecord = Pick<Sent, "name" | "ttl_sec"> &
  ({ readonly type: OpenRecordType; readonly rdata: string } | NewOpenRecordOf<OpenRecordType>);
export type OpenRecordUpdate = z.input<typeof openRecordUpdate>;
