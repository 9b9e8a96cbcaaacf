import * as z from "zod";
import { caaTags } from "../bounds.ts";
import { annotate, moment, openEnum } from "../meta.ts";
import { roundingText } from "../ttl.ts";

/** The record types that the API supports (decisions/documents#records). */
export const apiRecordTypes = ["A", "AAAA", "NS", "MX", "CNAME", "TXT", "SRV", "PTR", "CAA"] as const;
export type ApiRecordType = (typeof apiRecordTypes)[number];

export type CaaTag = (typeof caaTags)[number];

/** Octets of the longest data of a record. */
export const longestTarget = 65535;

const texts = {
  target: "Data of the record: an address, a name, a text, or the value of a CAA record",
  priority: "MX and SRV: lower is preferred",
  weight: "SRV: higher is preferred at equal priority",
  port: "SRV: port of the service",
  service: "SRV: the service, with or without a leading underscore",
  protocol: "SRV: the protocol, with or without a leading underscore",
  tag: "CAA: tag of the property",
};

/** A record in replies of the API (decisions/documents#records). The service may add values to its enumerations. */
export const record = z.object({
  id: z.int().describe("Id of the record"),
  type: openEnum(apiRecordTypes),
  name: annotate(z.string().describe("Relative to the domain; empty for its apex"), { maxLength: 253 }),
  target: annotate(z.string().describe(texts.target), { maxLength: longestTarget }),
  priority: annotate(z.int().describe(texts.priority), { minimum: 0, maximum: 255 }),
  weight: annotate(z.int().describe(texts.weight), { minimum: 0, maximum: 65535 }),
  port: annotate(z.int().describe(texts.port), { minimum: 0, maximum: 65535 }),
  service: z.string().nullable().describe(texts.service),
  protocol: z.string().nullable().describe(texts.protocol),
  ttl_sec: z.int().describe("Seconds; 0 means the domain's ttl_sec"),
  tag: openEnum(caaTags)
    .nullable()
    .describe(`${texts.tag} (${caaTags.join(", ")})`),
  created: moment("When the record was created"),
  updated: moment("When the record was last changed"),
});

const range = (max: number) => z.int().min(0, `Must be 0-${max}`).max(max, `Must be 0-${max}`).nullish();
const type = z.enum(apiRecordTypes, {
  error: (issue) => (issue.input == null ? "type is required" : `Must be one of ${apiRecordTypes.join(", ")}`),
});

/**
 * `PUT /domains/{domainId}/records/{recordId}`: a partial update; fields that are absent or null stay unchanged. `type`
 * must be the record's own.
 */
export const recordUpdate = z.object({
  type: type.nullish().describe("The type of the record, which cannot change"),
  name: z
    .string()
    .max(253, "Length must be 1-100 characters")
    .nullish()
    .describe(
      "Relative to the domain, without it at most 100 characters; empty for its apex. If the name ends in the domain, that part is removed.",
    ),
  target: annotate(z.string().max(longestTarget, "Length must be 0-65535 characters"), { examples: ["192.0.2.1"] })
    .nullish()
    .describe(texts.target),
  priority: range(255).describe(texts.priority),
  weight: range(65535).describe(texts.weight),
  port: range(65535).describe(texts.port),
  service: z.string().nullish().describe(texts.service),
  protocol: z.string().nullish().describe(texts.protocol),
  tag: z
    .enum(caaTags, { error: `Must be one of ${caaTags.join(", ")}` })
    .nullish()
    .describe(texts.tag),
  ttl_sec: z
    .int()
    .min(0, "Must be 0 or greater")
    .max(2 ** 31 - 1, "Must be 0-2147483647")
    .nullish()
    .describe(`Seconds; 0 means the domain's ttl_sec. ${roundingText}`),
});

/** `POST /domains/{domainId}/records`. */
export const newRecord = recordUpdate.extend({ type: type.describe("Type of the record") });

export type ApiRecord = z.output<typeof record>;
export type NewRecord = z.input<typeof newRecord>;
export type RecordUpdate = z.input<typeof recordUpdate>;

/**
 * Attributes of a record that `X-Filter` supports. Clients depend on all of them but `tag`, the only one that the
 * documents mark (decisions/service#x-filter).
 */
export const recordFilterable = ["name", "type", "target", "tag"] as const;

/** The columns that a table of records begins with. */
export const recordColumns = ["id", "type", "name", "target", "ttl_sec"] as const;
