import * as z from "zod";
import { spellings } from "../contract/words.ts";

const text = z.string({ error: "must be a string" });

const isMap = ({ code }: { code?: string }) =>
  code === "unrecognized_keys" ? undefined : "must be a map such as { kind: api, url: … }";

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
  readonly secret: TargetSecret;
}

const apiSettings = z.strictObject(
  {
    kind: z.literal("api").describe("Kind of service"),
    url: z
      .url({ protocol: /^https?$/, error: "must be a URL such as https://api.example.com" })
      .describe("Scheme and host of the API; /v4 is added"),
    words: z
      .enum(spellings, { error: `must be ${spellings.join(" or ")}` })
      .optional()
      .describe("Words of the API: documented, or live for the hosted service, which calls a node a Linode"),
    token_file: text
      .min(1, "must be a file")
      .optional()
      .describe("File outside of git that contains the token, relative to this file; not read in CI"),
  },
  { error: isMap },
);

const server = text.regex(
  /^(?:\[[\da-f:.]+\]|[^:[\]\s]+)(?::\d{1,5})?$|^[\da-f:.]+$/i,
  "must be a host or address, such as ns0.example.net or 192.0.2.53:5300",
);

const rfc2136Settings = z.strictObject(
  {
    kind: z.literal("rfc2136").describe("Kind of service"),
    server: server.describe("The primary of the zones: a host or address, with a port if it is not 53"),
    transfer_from: server
      .optional()
      .describe("Another server that zones are transferred from; updates go to the primary all the same"),
    tsig_key_file: text
      .min(1, "must be a file")
      .optional()
      .describe("File outside of git with the TSIG key, relative to this file; not read in CI"),
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
  },
} as const satisfies Record<string, ConfigKind>;

export type TargetKindName = keyof typeof configKinds;

export const kindNames = Object.keys(configKinds) as TargetKindName[];

/** The settings of one target. Each kind has its own keys. */
export const targetSchema = z.discriminatedUnion("kind", [configKinds.api.settings, configKinds.rfc2136.settings], {
  error: (issue) => (issue.code === "invalid_union" ? `must be ${kindNames.join(" or ")}` : isMap(issue)),
});

export type TargetSettings = z.output<typeof targetSchema>;

/** The kind that a target of a config has; undefined if it has a wrong one. */
export function kindNameOf(target: unknown): TargetKindName | undefined {
  const kind = typeof target === "object" && target !== null && "kind" in target ? target.kind : undefined;
  return kindNames.find((name) => name === kind);
}

/** The environment variable with the secret of a target. */
export function secretVariable(target: string, kind: TargetKindName): string {
  return `${ofTarget(target)}_${configKinds[kind].secret.variable}`;
}

/** Whether a variable can be that of a target, by its end. */
export function isSecretVariable(name: string): boolean {
  return kindNames.some((kind) => name.endsWith(`_${configKinds[kind].secret.variable}`));
}

function ofTarget(target: string): string {
  return `ZONEWRIGHT_${target.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;
}
