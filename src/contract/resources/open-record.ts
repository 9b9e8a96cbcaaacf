import * as z from "zod";
import { longestTarget, type newRecord, record, recordUpdate } from "./record.ts";

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

export type OpenRecord = z.output<typeof openRecord>;
export type OpenNewRecord = z.output<typeof openNewRecord>;
export type OpenRecordUpdate = z.output<typeof openRecordUpdate>;
/** A request for a record, which documented requests are too. */
export type RecordRequest = z.output<typeof newRecord> | OpenNewRecord;
