import * as z from "zod";

export const domainType = z.enum(["master", "slave"]);
export const domainStatus = z.enum(["disabled", "active"]);

const seconds = (what: string) => z.int().describe(`${what}, in seconds; 0 is the default. Rounded to a stored time.`);

const times = {
  ttl_sec: seconds("How long resolvers may cache the zone's records"),
  refresh_sec: seconds("How long a secondary waits before it refreshes"),
  retry_sec: seconds("How long a secondary waits after a refresh that failed"),
  expire_sec: seconds("How long a secondary answers without a refresh"),
};

/** A domain as the API answers with it (second document, Domain). `created`, `updated`, `errors` come from the live profile. */
export const domain = z.object({
  id: z.int(),
  type: z.string().describe("master or slave"),
  domain: z.string(),
  status: z.string().describe("active or disabled"),
  description: z.string(),
  group: z.string(),
  soa_email: z.string(),
  ...times,
  master_ips: z.array(z.string()),
  axfr_ips: z.array(z.string()),
  tags: z.array(z.string()),
  created: z.string().optional(),
  updated: z.string().optional(),
  errors: z.string().optional(),
});

const tag = z.string().min(3, "Length must be 3-50 characters").max(50, "Length must be 3-50 characters");

/** How many addresses or tags a domain may have in each of its lists. */
export const mostListed = 100;
const list = (item: z.ZodString) => z.array(item).max(mostListed, `Must have at most ${mostListed} entries`).nullish();

const time = (seconds: z.ZodInt) =>
  seconds
    .min(0, "Must be 0 or greater")
    .max(2 ** 31 - 1, "Must be 0-2147483647")
    .nullish();

/** Any field of a domain that a request may carry. Null is accepted and means "not given". */
const domainFields = z.object({
  domain: z.string().max(255, "Length must be 1-255 characters").nullish(),
  type: domainType.nullish(),
  status: domainStatus.nullish(),
  description: z.string().max(255, "Length must be 1-255 characters").nullish(),
  group: z.string().max(50, "Length must be 1-50 characters").nullish(),
  soa_email: z.string().nullish().describe("E-mail address of the zone's keeper; required for type master"),
  ttl_sec: time(times.ttl_sec),
  refresh_sec: time(times.refresh_sec),
  retry_sec: time(times.retry_sec),
  expire_sec: time(times.expire_sec),
  master_ips: list(z.string()).describe("Addresses to transfer from; required for type slave"),
  axfr_ips: list(z.string()).describe("Addresses that may transfer the zone"),
  tags: list(tag),
});

/** `POST /domains`. */
export const newDomain = domainFields.extend({
  domain: z.string({ error: "Domain is required." }).max(255, "Length must be 1-255 characters"),
  type: z.enum(["master", "slave"], {
    error: (issue) => (issue.input == null ? "type is required" : "Must be one of master, slave"),
  }),
});

/** `PUT /domains/{domainId}`: partial; what is absent or null stays. */
export const domainUpdate = domainFields;

/** `POST /domains/import`. */
export const domainImport = z.object({
  domain: z.string({ error: "Domain is required." }).max(255, "Length must be 1-255 characters"),
  remote_nameserver: z
    .string({ error: "remote_nameserver is required" })
    .describe("Name server that permits AXFR to the service"),
});

/** `POST /domains/{domainId}/clone`. */
export const domainClone = z.object({
  domain: z.string({ error: "Domain is required." }).max(255, "Length must be 1-255 characters"),
});

/** `GET /domains/{domainId}/zone-file`: the lines of the last rendered zone; none before the first rendering. */
export const zoneFile = z.object({ zone_file: z.array(z.string()) });

export type Domain = z.output<typeof domain>;
export type NewDomain = z.input<typeof newDomain>;
export type DomainUpdate = z.input<typeof domainUpdate>;

/** What `X-Filter` may name on a list of domains. */
export const domainFilterable = ["domain", "group", "tags"] as const;
