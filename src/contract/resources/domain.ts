import * as z from "zod";
import { mostListed } from "../bounds.ts";
import { annotate, moment, openEnum, sent } from "../meta.ts";
import { roundingText } from "../ttl.ts";
import { tagLabel } from "./label.ts";

export const domainType = z.enum(["master", "slave"]);
export const domainStatus = z.enum(["disabled", "active"]);

const seconds = (what: string) => z.int().describe(`${what}, in seconds; 0 means the default. ${roundingText}`);

const times = {
  ttl_sec: seconds("Default TTL of the zone's records"),
  refresh_sec: seconds("Interval between refreshes by a secondary"),
  retry_sec: seconds("Interval between retries after a failed refresh"),
  expire_sec: seconds("Time after which a secondary without a refresh stops answering"),
};

const texts = {
  domain: "Name of the zone, without a final dot; unique on the whole service, case-insensitive",
  type: "A master is edited here, a slave is transferred from its masters",
  status: "A disabled domain is not served",
  description: "For display only",
  group: "For display only",
  soa_email: "Contact address of the zone, for its SOA record",
  master_ips: "Addresses that a slave domain is transferred from",
  axfr_ips: "Addresses that may transfer the zone",
  tags: "For display only; tags are unique, case-insensitive",
};

/** A domain in replies of the API (decisions/documents#domains). `errors` is sent in profile live only. */
export const domain = z.object({
  id: z.int().describe("Id of the domain"),
  type: openEnum(domainType.options).describe(`master or slave. ${texts.type}`),
  domain: annotate(z.string().describe(texts.domain), { minLength: 1, maxLength: 255 }),
  status: openEnum(domainStatus.options).describe(`active or disabled. ${texts.status}`),
  description: annotate(z.string().describe(texts.description), { maxLength: 255 }),
  group: annotate(z.string().describe(texts.group), { maxLength: 50 }),
  soa_email: z.string().describe(texts.soa_email),
  ...times,
  master_ips: annotate(z.array(z.string()).describe(texts.master_ips), { maxItems: mostListed }),
  axfr_ips: annotate(z.array(z.string()).describe(texts.axfr_ips), { maxItems: mostListed }),
  tags: annotate(z.array(annotate(z.string(), { minLength: 3, maxLength: 50 })).describe(texts.tags), {
    maxItems: mostListed,
  }),
  created: sent(moment("When the domain was created")),
  updated: sent(moment("When the domain was last changed")),
  errors: sent(z.string().describe("Always empty"), "live"),
});

const list = (item: z.ZodString) => z.array(item).max(mostListed, `Must have at most ${mostListed} entries`).nullish();

const time = (seconds: z.ZodInt) =>
  seconds
    .min(0, "Must be 0 or greater")
    .max(2 ** 31 - 1, "Must be 0-2147483647")
    .nullish();

const name = z.string({ error: "Domain is required." }).max(255, "Length must be 1-255 characters");
annotate(name, { minLength: 1 });

/** The fields of a domain in requests. Null is accepted and means "not given". */
const domainFields = z.object({
  domain: name.nullish().describe(texts.domain),
  type: domainType.nullish().describe(texts.type),
  status: domainStatus.nullish().describe(texts.status),
  description: z.string().max(255, "Length must be 1-255 characters").nullish().describe(texts.description),
  group: z.string().max(50, "Length must be 1-50 characters").nullish().describe(texts.group),
  soa_email: annotate(z.string(), { examples: ["hostmaster@example.com"] })
    .nullish()
    .describe(`${texts.soa_email}; required for type master`),
  ttl_sec: time(times.ttl_sec),
  refresh_sec: time(times.refresh_sec),
  retry_sec: time(times.retry_sec),
  expire_sec: time(times.expire_sec),
  master_ips: list(z.string()).describe(`${texts.master_ips}; required for type slave`),
  axfr_ips: list(z.string()).describe(texts.axfr_ips),
  tags: list(tagLabel(z.string())).describe(texts.tags),
});

/** `POST /domains`. */
export const newDomain = domainFields.extend({
  domain: name.describe(texts.domain),
  type: z
    .enum(["master", "slave"], {
      error: (issue) => (issue.input == null ? "type is required" : "Must be one of master, slave"),
    })
    .describe(texts.type),
});

/** `PUT /domains/{domainId}`: a partial update; fields that are absent or null stay unchanged. */
export const domainUpdate = domainFields;

/** `POST /domains/import`. */
export const domainImport = z.object({
  domain: name.describe(texts.domain),
  remote_nameserver: z
    .string({ error: "remote_nameserver is required" })
    .describe("Name server that permits AXFR to the service"),
});

/** `POST /domains/{domainId}/clone`. */
export const domainClone = z.object({
  domain: name.describe(texts.domain),
});

/** `GET /domains/{domainId}/zone-file`: the lines of the last rendered zone; none before the first rendering. */
export const zoneFile = z.object({ zone_file: z.array(z.string()).describe("The lines, in presentation format") });

export type Domain = z.output<typeof domain>;
export type NewDomain = z.input<typeof newDomain>;
export type DomainUpdate = z.input<typeof domainUpdate>;
export type DomainImport = z.input<typeof domainImport>;
export type RenderedZone = z.output<typeof zoneFile>;

/** Attributes of a domain that `X-Filter` supports. */
export const domainFilterable = ["domain", "group", "tags"] as const;
