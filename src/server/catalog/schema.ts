import { isIPv4, isIPv6 } from "node:net";
import * as z from "zod";
import { nodeClasses } from "../../contract/resources/node-type.ts";
import { regionStatuses } from "../../contract/resources/region.ts";
import { addressWords } from "../../dns/name/address.ts";

/** The message about a value that breaks a rule. It continues the name of the setting. */
function must(rule: string) {
  return {
    error({ code, input }: { readonly code?: string | undefined; readonly input?: unknown }) {
      if (code === "unrecognized_keys") return undefined;
      return input === undefined ? `is missing; it must be ${rule}` : `must be ${rule}, not ${describeValue(input)}`;
    },
  };
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number") return String(value);
  return typeof value === "object" && value !== null ? "a map" : JSON.stringify(value);
}

function text(longest: number) {
  const rule = must(`a text of 1 to ${longest} characters`);
  return z.string(rule).min(1, rule).max(longest, rule);
}

function textMatching(pattern: RegExp, rule: string) {
  return z.string(must(rule)).regex(pattern, must(rule));
}

function integer(least: number, most = 2 ** 31 - 1) {
  const rule = must(`a whole number from ${least} to ${most}`);
  return z.int(rule).min(least, rule).max(most, rule);
}

function flag() {
  return z.boolean(must("true or false"));
}

function choice<const Word extends string>(words: readonly Word[]) {
  return z.enum(words, must(`one of ${words.join(", ")}`));
}

function list<T extends z.ZodType>(entry: T, entries: string) {
  return z.array(entry, must(`a list of ${entries}`));
}

export const idSchema = textMatching(/^[a-z0-9][a-z0-9.-]{0,63}$/, "lower-case letters, digits, dots and hyphens");
const ofNode = (example: string) =>
  textMatching(
    /^node\/[a-z0-9][a-z0-9._-]{0,63}$/,
    `node/ and a name, such as node/${example} (profile live shows linode/${example})`,
  );
export const imageIdSchema = ofNode("debian12");

/** Amounts have at most four decimals, as invoices store them. */
function hasAtMostFourDecimals(value: number): boolean {
  return Math.abs(value * 10_000 - Math.round(value * 10_000)) < 1e-6;
}

function amount(most: number) {
  const rule = must(`a number from 0 to ${most} with at most four decimals`);
  return z.number(rule).min(0, rule).max(most, rule).refine(hasAtMostFourDecimals, rule);
}

const dollars = () => amount(1_000_000).default(0);

function price() {
  return z
    .strictObject(
      {
        hourly: dollars().describe("US dollars an hour; 0 for a price by the month only"),
        monthly: dollars().describe("US dollars a month, which the hours never exceed; 0 for no limit"),
      },
      must("a map of hourly and monthly"),
    )
    .prefault({});
}

/** Whether a text is a network in CIDR form that starts at its first address. */
function isNetwork(text: string, isFamily: (address: string) => boolean, longest: number): boolean {
  const [, address = "", digits = ""] = /^([\da-f:.]+)\/(0|[1-9]\d{0,2})$/i.exec(text) ?? [];
  const prefix = Number(digits);
  if (!isFamily(address) || digits === "" || prefix > longest) return false;
  const words = isIPv4(address) ? address.split(".").map(Number) : [...addressWords(address)];
  const width = isIPv4(address) ? 8 : 16;
  return words.every((word, index) => {
    const free = Math.min(width, Math.max(0, (index + 1) * width - prefix));
    return word % 2 ** free === 0;
  });
}

function network(isFamily: (address: string) => boolean, longest: number, example: string) {
  const rule = must(`the first address of a network and its length, at most /${longest}, such as ${example}`);
  return z
    .string(rule)
    .refine((text) => isNetwork(text, isFamily, longest), rule)
    .default(example);
}

function addresses(isFamily: (address: string) => boolean, example: string) {
  const rule = must(`addresses separated by commas, such as ${example}, or ""`);
  return z
    .string(rule)
    .refine((text) => text === "" || text.split(",").every(isFamily), rule)
    .default("");
}

const region = z.strictObject(
  {
    id: idSchema.describe("Id of the region"),
    label: text(64).describe("Name of the region, shown in profile live"),
    country: textMatching(/^[a-z]{2}$/, "two lower-case letters, such as de").describe("Country (ISO 3166-1)"),
    capabilities: z
      .array(text(64), must("a list of words such as Nodes"))
      .default([])
      .describe("Services of the region: Nodes, Backups, Block Storage, Cloud Firewall, Vlans"),
    status: choice(regionStatuses).default("ok").describe("Status of the region; an outage is a notification"),
    resolvers: z
      .strictObject(
        {
          ipv4: addresses(isIPv4, "192.0.2.1,192.0.2.2").describe("IPv4 addresses, separated by commas"),
          ipv6: addresses(isIPv6, "2001:db8::1,2001:db8::2").describe("IPv6 addresses, separated by commas"),
        },
        must("a map of ipv4 and ipv6"),
      )
      .prefault({})
      .describe("Resolvers that the region recommends to its nodes"),
    price_percent: integer(0, 1000)
      .default(100)
      .describe("Prices of nodes, backups, addresses and volumes in the region, in percent of the others"),
    pools: z
      .strictObject(
        {
          public: network(isIPv4, 24, "198.18.0.0/15").describe("Public IPv4 addresses; each /24 is a subnet"),
          private: network(isIPv4, 24, "192.168.128.0/17").describe("Private IPv4 addresses"),
          slaac: network(isIPv6, 64, "2001:db8::/32").describe("IPv6 addresses; each /64 is a subnet"),
        },
        must("a map of public, private and slaac"),
      )
      .prefault({})
      .describe("Networks of the addresses of nodes. The defaults are routed nowhere (RFC 2544, RFC 3849)."),
  },
  must("a map of id, label, country, capabilities, status, resolvers, price_percent, pools"),
);

const type = z.strictObject(
  {
    id: idSchema.describe("Id of the type"),
    label: text(64).describe("Name of the type"),
    class: choice(nodeClasses).describe("Class of the type"),
    disk: integer(1).describe("Size of the disk, in MB"),
    memory: integer(1).describe("Memory, in MB"),
    vcpus: integer(1, 1024).describe("Number of virtual CPUs"),
    gpus: integer(0, 1024).default(0).describe("Number of GPUs"),
    transfer: integer(0).describe("Outgoing traffic that is included, in GB a month"),
    network_out: integer(0).describe("Outgoing bandwidth, in Mbit/s"),
    price: price().describe("Price of a node, in US dollars"),
    backups: price().describe("Price of the backups of a node, in US dollars"),
    successor: idSchema.nullable().default(null).describe("Type to which a node of this type can be upgraded"),
  },
  must("a map of id, label, class, disk, memory, vcpus, transfer, network_out and others"),
);

const image = z.strictObject(
  {
    id: imageIdSchema.describe("Id of the image"),
    label: text(64).describe("Name of the image"),
    size: integer(1).describe("Smallest disk that holds the image, in MB"),
    filesystem: choice(["raw", "swap", "ext3", "ext4", "initrd"]).default("ext4").describe("File system of the image"),
    vendor: text(64).nullable().default(null).describe("Distribution of the image, by which clients find it"),
  },
  must("a map of id, label, size, filesystem, vendor"),
);

const aTime = "a time in UTC, such as 2024-05-08T12:00:00";

function isTime(text: string): boolean {
  const time = new Date(`${text}Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString() === `${text}.000Z`;
}

const kernel = z.strictObject(
  {
    id: ofNode("latest-64bit").describe("Id of the kernel"),
    label: text(128).describe("Name of the kernel"),
    version: z.string(must('a text in quotes, such as "6.8"')).describe("Version of Linux or of the boot loader"),
    kvm: flag().default(true).describe("Whether the kernel runs on KVM"),
    xen: flag().default(false).describe("Whether the kernel runs on Xen"),
    architecture: choice(["x86_64", "i386"]).describe("Architecture of the kernel"),
    pvops: flag().default(true).describe("Whether the kernel is paravirtualized"),
    deprecated: flag().default(false).describe("Whether the kernel should no longer be chosen"),
    built: z.string(must(aTime)).refine(isTime, must(aTime)).describe("When the kernel was built, in UTC"),
  },
  must("a map of id, label, version, architecture, built and others"),
);

const field = z.strictObject(
  {
    name: textMatching(/^[A-Za-z_]\w{0,63}$/, "letters, digits and underscores").describe("Key in deployscript_data"),
    label: text(255).describe("Question to the user"),
    default: z.string(must("a text")).optional().describe("Value if none is given; without it, the field is required"),
  },
  must("a map of name, label, default"),
);

const deployscript = z.strictObject(
  {
    id: integer(1).describe("Id of the deploy script"),
    images: list(imageIdSchema, "ids of images").describe("Images that the deploy script works on, by their ids"),
    fields: list(field, "fields").default([]).describe("Input of the deploy script"),
  },
  must("a map of id, images, fields"),
);

/** The catalogue (decisions/nodes#catalogue): what the service offers, and for how much. */
export const catalogSchema = z.strictObject(
  {
    regions: list(region, "regions").describe("Places where nodes run"),
    types: list(type, "types").describe("Sizes of nodes"),
    images: list(image, "images").describe("Systems that disks can be created from"),
    kernels: list(kernel, "kernels").describe("Kernels that nodes can boot"),
    deployscripts: list(deployscript, "deploy scripts").describe("Deploy scripts and their input"),
    tax: z
      .record(z.string().regex(/^[A-Z]{2}$/), amount(100), {
        error: (issue) =>
          issue.code === "invalid_key"
            ? "is not a country; write two capital letters, such as DE"
            : must("a map of countries and percentages, such as DE: 19").error(issue),
      })
      .describe("Percentage of tax on invoices, by the country of the account (ISO 3166-1); reserved"),
    extra_public_ipv4: integer(0, 255).describe("Public IPv4 addresses that a node may have besides its first"),
    prices: z
      .strictObject(
        {
          public_ipv4: price().describe("Price of each public IPv4 address of a node besides its first"),
          volume_gb: price().describe("Price of a GB of a volume"),
          transfer_gb: dollars().describe(
            "Price of a GB of outgoing traffic beyond what all nodes of an account include",
          ),
        },
        must("a map of public_ipv4, volume_gb, transfer_gb"),
      )
      .describe("Other prices, in US dollars"),
    rdns_domain: textMatching(
      /^(?=.{1,200}$)(?!(.*\.)?\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/,
      "a domain name in lower case without a final dot, such as nodes.invalid",
    ).describe("Domain of the default names of addresses"),
    rdns_account: text(64).describe("Account that may have domains in place of the zones of addresses; no other may"),
  },
  must("a map of settings such as regions"),
);

export type Catalog = z.output<typeof catalogSchema>;
export type CatalogInput = z.input<typeof catalogSchema>;

/** A catalogue as a file: every section may be omitted. */
export const catalogFileSchema = catalogSchema.exactPartial();

/** The JSON Schema (draft 7, which editors know best) of a catalogue file. */
export function catalogJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(catalogFileSchema, { target: "draft-7", io: "input" });
  return { $schema, $id: "urn:zonewright:catalog", title: "catalog.yaml", ...schema };
}
