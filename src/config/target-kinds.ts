import * as z from "zod";
import { recordsSettings } from "../contract/records-setting.ts";
import { spellings } from "../contract/words.ts";

/** No file, argument or name has a NUL character. */
const text = z
  .string({ error: "must be a string" })
  .refine((value) => !value.includes("\0"), "must not have a NUL character");

/** How serials of zone files are chosen. */
export const serialPolicies = ["unixtime", "date"] as const;

export type SerialPolicy = (typeof serialPolicies)[number];

/** The names in braces that arguments of programs can have. */
export const placeholders: readonly string[] = ["{zone}", "{file}"];

const isMap = ({ code }: { code?: string }) => (code === "unrecognized_keys" ? undefined : "must be a map");

/** The token or key of a target. It stands in an environment variable or a file, never in the config. */
interface TargetSecret {
  readonly word: string;
  /** The end of its variable, after the name of the target. */
  readonly variable: string;
  /** The setting that names its file. */
  readonly setting: string;
}

interface ConfigKind {
  readonly settings: z.ZodObject;
  /** The setting that says where the service is. */
  readonly address: string;
  /** Absent if it needs none. */
  readonly secret?: TargetSecret;
  /** The settings that name a server which answers for the zones. */
  readonly servers?: readonly string[];
}

const kindMeaning =
  "api: a service with the API; rfc2136: a name server that takes dynamic updates, such as BIND or Knot; powerdns: a PowerDNS with its HTTP API; files: a folder of zone files that a name server loads";

const server = text.regex(
  /^(?:\[[\da-f:.]+\]|[^:[\]\s]+)(?::\d{1,5})?$|^[\da-f:.]+$/i,
  "must be a host or address, such as ns0.example.net or 192.0.2.53:5300",
);

const hostName = text.regex(
  /^(?=.{1,254}$)[\w-]{1,63}(?:\.[\w-]{1,63})*\.?$/,
  "must be a name such as ns1.example.net",
);

/** Settings of every kind. */
const common = {
  nameservers: z
    .union([z.array(hostName).min(1), z.record(hostName, server)], {
      error: "must be a list of names such as ns1.example.net, or a map of names and addresses",
    })
    .optional()
    .describe(
      "The name servers that answer for its zones, as NS records name them; each with the address where it is asked, if it is not that of its name",
    ),
};

const apiSettings = z.strictObject(
  {
    kind: z.literal("api").describe(kindMeaning),
    url: z
      .url({ protocol: /^https?$/, error: "must be a URL such as https://api.example.com" })
      .describe("Scheme and host of the API; /v4 is added"),
    words: z
      .enum(spellings, { error: `must be ${spellings.join(" or ")}` })
      .optional()
      .describe("Words of the API: documented, or live for the hosted service, which calls a node a Linode"),
    records: z
      .enum(recordsSettings, { error: `must be ${recordsSettings.join(" or ")}` })
      .optional()
      .describe("Records of the API: documented, or open for a server that holds every type and any TTL"),
    token_file: text
      .min(1, "must be a file")
      .optional()
      .describe("File outside of git that contains the token, relative to this file; not read in CI"),
    ...common,
  },
  { error: isMap },
);

const rfc2136Settings = z.strictObject(
  {
    kind: z.literal("rfc2136").describe(kindMeaning),
    server: server.describe("The primary of the zones: a host or address, with a port if it is not 53"),
    transfer_from: server
      .optional()
      .describe("Another server that zones are transferred from; updates go to the primary all the same"),
    tsig_key_file: text
      .min(1, "must be a file")
      .optional()
      .describe("File outside of git with the TSIG key, relative to this file; not read in CI"),
    ...common,
  },
  { error: isMap },
);

const powerDnsSettings = z.strictObject(
  {
    kind: z.literal("powerdns").describe(kindMeaning),
    url: z
      .url({ protocol: /^https?$/, error: "must be a URL such as http://127.0.0.1:8081" })
      .describe("Scheme, host and port of the web server of PowerDNS; /api/v1 is added"),
    server_id: text
      .regex(/^[!-~]{1,255}$/, "must be the id of a server, usually localhost")
      .optional()
      .describe("The id of the server in the API, by default localhost"),
    api_key_file: text
      .min(1, "must be a file")
      .optional()
      .describe("File outside of git with the API key, relative to this file; not read in CI"),
    ...common,
  },
  { error: isMap },
);

/** A program and its arguments. `{zone}` is the name of the zone without the final dot, `{file}` its file. */
const program = z
  .array(text, { error: 'must be a list: a program and its arguments, such as [rndc, reload, "{zone}"]' })
  .min(1, "must be a program and its arguments")
  .refine((words) => words[0]?.trim() !== "" && !words[0]?.includes("{"), "must begin with the name of a program")
  .refine(
    (words) =>
      words.every((word) => [...word.matchAll(/(?<!\$)\{[a-z_]+\}/gi)].every(([name]) => placeholders.includes(name))),
    `must have no other names in braces than ${placeholders.join(" and ")}`,
  );

/** The name of a catalog zone: names with a label for each member have room below it. */
export const catalogName = /^(?=.{1,200}$)[\w-]{1,63}(?:\.[\w-]{1,63})*\.?$/;

const catalogZone = text.regex(catalogName, "must be the name of a zone, such as catalog.example");
const catalogGroup = text.regex(/^[!-~]{1,255}$/, "must be a word, as the configuration of the secondaries has it");

/** A catalog zone, and the group of its members. */
const catalog = z.union(
  [
    catalogZone,
    z.strictObject({
      zone: catalogZone.describe("The name of the catalog zone"),
      group: catalogGroup.optional().describe("The group of its members, by which secondaries choose their settings"),
    }),
  ],
  { error: "must be the name of a zone, such as catalog.example, or { zone, group }" },
);

const filesSettings = z.strictObject(
  {
    kind: z.literal("files").describe(kindMeaning),
    folder: text.min(1, "must be a folder").describe("The folder of the zone files, relative to this file"),
    serial: z
      .enum(serialPolicies, { error: `must be ${serialPolicies.join(" or ")}` })
      .optional()
      .describe("How the serial of a changed zone is chosen: unixtime (default), or date for YYYYMMDDnn"),
    check: program
      .refine((words) => words.includes("{file}"), 'must have "{file}", the file to check')
      .optional()
      .describe("A program that checks a new file before it replaces the old one"),
    reload: program.optional().describe("A program that makes the name server load the new file"),
    verify_at: server
      .optional()
      .describe("A server that loads the files: its serial is compared, and zones are verified there"),
    catalog: catalog
      .optional()
      .describe("The catalog zone (RFC 9432) by which secondaries learn the zones; it is written beside them"),
    ...common,
  },
  { error: isMap },
);

/** The kinds of targets that a config can have, with their settings. */
export const configKinds = {
  api: {
    settings: apiSettings,
    address: "url",
    secret: { word: "token", variable: "TOKEN", setting: "token_file" },
  },
  rfc2136: {
    settings: rfc2136Settings,
    address: "server",
    secret: { word: "TSIG key", variable: "TSIG_KEY", setting: "tsig_key_file" },
    servers: ["server", "transfer_from"],
  },
  powerdns: {
    settings: powerDnsSettings,
    address: "url",
    secret: { word: "API key", variable: "API_KEY", setting: "api_key_file" },
  },
  files: { settings: filesSettings, address: "folder", servers: ["verify_at"] },
} as const satisfies Record<string, ConfigKind>;

export type TargetKindName = keyof typeof configKinds;

export const kindNames = Object.keys(configKinds) as TargetKindName[];

/** A target as messages and documentation show it. */
export const targetExample = { kind: "api", url: "https://api.example.com" };

/** The settings of one target. Each kind has its own keys. */
export const targetSchema = z.discriminatedUnion(
  "kind",
  [configKinds.api.settings, configKinds.rfc2136.settings, configKinds.powerdns.settings, configKinds.files.settings],
  { error: (issue) => (issue.code === "invalid_union" ? `must be ${listed(kindNames)}` : isMap(issue)) },
);

export type TargetSettings = z.output<typeof targetSchema>;

/** The kind that a target of a config has; undefined if it has a wrong one. */
export function kindNameOf(target: unknown): TargetKindName | undefined {
  const kind = typeof target === "object" && target !== null && "kind" in target ? target.kind : undefined;
  return kindNames.find((name) => name === kind);
}

/** The token or key that targets of a kind have; undefined if they need none. */
export function secretOf(kind: TargetKindName): TargetSecret | undefined {
  const { secret }: ConfigKind = configKinds[kind];
  return secret;
}

/** The servers that the settings of a target name, as hosts or addresses; those of `nameservers` are not among them. */
export function serversIn(target: TargetSettings): string[] {
  const { servers = [] }: ConfigKind = configKinds[target.kind];
  const settings: Readonly<Record<string, unknown>> = target;
  return servers.flatMap((name) => (typeof settings[name] === "string" ? [settings[name]] : []));
}

/** The environment variable with the secret of a target; undefined if it needs none. */
export function secretVariable(target: string, kind: TargetKindName): string | undefined {
  const secret = secretOf(kind);
  return secret && `${ofTarget(target)}_${secret.variable}`;
}

/** Whether a variable can be that of a target, by its end. */
export function isSecretVariable(name: string): boolean {
  return kindNames.some((kind) => {
    const secret = secretOf(kind);
    return secret !== undefined && name.endsWith(`_${secret.variable}`);
  });
}

function ofTarget(target: string): string {
  return `ZONEWRIGHT_${target.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;
}

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
