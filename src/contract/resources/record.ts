import * as z from "zod";

/**
 * How many octets the data of a record may have when it is rendered. A DNS message of 65,535 carries it then beside its
 * head, the longest names in question and record, OPT and the longest TSIG; a text of 63,750 octets has exactly so many.
 */
export const mostData = 64_000;

/** The record types that the API holds (second document, Domain record). */
export const recordTypes = ["A", "AAAA", "NS", "MX", "CNAME", "TXT", "SRV", "PTR", "CAA"] as const;
export type ApiRecordType = (typeof recordTypes)[number];

export const caaTags = ["issue", "issuewild", "iodef"] as const;
export type CaaTag = (typeof caaTags)[number];

/** A record as the API answers with it (second document, Domain record). Enumerations stay open: values may be added. */
export const record = z.object({
  id: z.int(),
  type: z.string(),
  name: z.string(),
  target: z.string(),
  priority: z.int(),
  weight: z.int(),
  port: z.int(),
  service: z.string().nullable(),
  protocol: z.string().nullable(),
  ttl_sec: z.int(),
  tag: z.string().nullable(),
  created: z.string(),
  updated: z.string(),
});

const range = (max: number) => z.int().min(0, `Must be 0-${max}`).max(max, `Must be 0-${max}`).nullish();
const type = z.enum(recordTypes, {
  error: (issue) => (issue.input == null ? "type is required" : `Must be one of ${recordTypes.join(", ")}`),
});

/** `PUT /domains/{domainId}/records/{recordId}`: partial; what is absent or null stays; `type` may only repeat itself. */
export const recordUpdate = z.object({
  type: type.nullish(),
  name: z
    .string()
    .max(253, "Length must be 1-100 characters")
    .nullish()
    .describe(
      "Relative to the domain, at most 100 characters; empty for its apex. A name that ends in the domain loses that end.",
    ),
  target: z.string().max(65535, "Length must be 0-65535 characters").nullish(),
  priority: range(255).describe("MX and SRV"),
  weight: range(65535).describe("SRV"),
  port: range(65535).describe("SRV"),
  service: z.string().nullish().describe("SRV"),
  protocol: z.string().nullish().describe("SRV"),
  tag: z
    .enum(caaTags, { error: `Must be one of ${caaTags.join(", ")}` })
    .nullish()
    .describe("CAA"),
  ttl_sec: z
    .int()
    .min(0, "Must be 0 or greater")
    .max(2 ** 31 - 1, "Must be 0-2147483647")
    .nullish()
    .describe("Seconds; 0 is the domain's ttl_sec. Rounded to a stored time."),
});

/** `POST /domains/{domainId}/records`. */
export const newRecord = recordUpdate.extend({ type });

export type ApiRecord = z.output<typeof record>;
export type NewRecord = z.input<typeof newRecord>;
export type RecordUpdate = z.input<typeof recordUpdate>;

/** What `X-Filter` may name on a list of records; clients depend on all but `tag`, which the specification marks. */
export const recordFilterable = ["name", "type", "target", "tag"] as const;
