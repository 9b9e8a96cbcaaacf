import * as z from "zod";
import { recordsSettings } from "../contract/records-setting.ts";
import { spellings } from "../contract/words.ts";
import { commandLine } from "../diagnostics/advice.ts";
import type { Place } from "../diagnostics/problem.ts";
import { isDay } from "../diagnostics/quantities.ts";
import { readSettings } from "./settings-file.ts";
import { targetExample } from "./target-kinds.ts";
import { findTargetFaults, targetsSchema } from "./targets.ts";

const time = { error: "must be a time such as 3600 or 1h" };
const longest = 2 ** 31 - 1;
const seconds = z
  .union(
    [z.int(time).min(0, time).max(longest, time), z.string(time).regex(/^(?:[0-9]+|(?:[0-9]+[smhdwSMHDW])+)$/, time)],
    time,
  )
  .meta({ examples: ["1h"] });
const text = z.string({ error: "must be a string" });
const texts = z.array(text, { error: "must be a list of strings" });
const folders = {
  error: "must be a folder, { path, targets, format: octodns, default_ttl, split_extension }, or a list of them",
};
const folder = z.union(
  [
    z.string(),
    z
      .strictObject({
        path: z.string(),
        targets: z
          .union([z.string(), z.array(z.string()).min(1)])
          .optional()
          .describe("The targets of its zones, by name; all if there is one"),
        format: z.literal("octodns").optional(),
        default_ttl: seconds.optional(),
        split_extension: z
          .string()
          .regex(/^\.[^/\\]*$/)
          .optional(),
      })
      .refine((folder) => folder.format ?? (folder.default_ttl ?? folder.split_extension) === undefined, folders),
  ],
  folders,
);
const servers = { error: "must be a list of names such as ns1.example.com" };

const day = "must be a day such as 2027-01-31";
const ignore = z
  .strictObject(
    {
      name: text.optional().describe("Owner name relative to the zone; * matches any text"),
      type: text.optional().describe("Record type; * matches any type"),
      value: text.optional().describe("RDATA as in a zone file; * matches any text"),
      reason: text.min(1, "must give a reason").describe("Why the records are left alone"),
      until: z.string(day).refine(isDay, day).optional().describe("Last day on which the pattern applies"),
    },
    { error: mapOf("name, type, value and reason") },
  )
  .refine(({ name, type, value }) => (name ?? type ?? value) !== undefined, "needs a name, a type or a value");

const number = (usual: number, most: number, about: string) => {
  const error = `must be a whole number from 0 to ${most}`;
  return z
    .int(error)
    .min(0, error)
    .max(most, error)
    .default(usual)
    .meta({ description: about, examples: [usual] });
};
const guards = {
  zone_deletes_least: number(
    3,
    1_000_000,
    "Number of records of a zone that may be deleted, changed in place, or swapped, whatever their percentage",
  ),
  zone_deletes_percent: number(
    10,
    100,
    "Percentage of a zone's records that may be deleted, changed in place, or swapped",
  ),
  zone_deletes_most: number(
    50,
    1_000_000,
    "Maximum number of records of a zone that may be deleted, changed in place, or swapped, even if their percentage is lower",
  ),
  zone_creates_least: number(
    25,
    1_000_000,
    "Number of records that may be created in a zone with records, whatever their percentage",
  ),
  zone_creates_percent: number(50, 100, "Number of records that may be created, as a percentage of a zone's records"),
  zone_creates_most: number(
    200,
    1_000_000,
    "Maximum number of records that may be created in a zone, even if their percentage is lower",
  ),
  run_deletes: number(25, 1_000_000, "Number of records that may be deleted, changed in place, or swapped in one run"),
  run_zones: number(
    5,
    1_000_000,
    "Number of zones that may lose records, or have them changed in place or swapped, in one run",
  ),
  expire_sec_least: number(
    86_400,
    longest,
    "Seconds below which a zone's expire_sec, after which secondaries stop answering, may not be lowered",
  ),
};

/** A setting of zones that `defaults` can have. */
export interface ZoneDefault {
  readonly name: string;
  readonly kind: "text" | "list" | "duration" | "choice";
  readonly choices?: readonly [string, ...string[]];
  readonly isInherited?: boolean;
}

/**
 * Schema of `zonewright.yaml` for zones with these settings. All keys are optional. A message continues the name of its
 * key.
 */
export const configSchema = (settings: readonly ZoneDefault[]) =>
  z.strictObject(
    {
      api_url: z
        .url({ protocol: /^https?$/, error: "must be a URL such as https://api.example.com" })
        .optional()
        .meta({ description: "Scheme and host of the API; /v4 is added", examples: ["https://api.example.com"] }),
      api_words: z
        .enum(spellings, { error: `must be ${spellings.join(" or ")}` })
        .optional()
        .meta({
          description: "Words of the API: documented, or live for the hosted service, which calls a node a Linode",
          examples: [spellings[0]],
        }),
      api_records: z
        .enum(recordsSettings, { error: `must be ${recordsSettings.join(" or ")}` })
        .optional()
        .meta({
          description: "Records of the API: documented, or open for a server that holds every type and any TTL",
          examples: [recordsSettings[0]],
        }),
      targets: targetsSchema.optional().meta({
        description: "Services that the zones are applied to, by name; without it, api_url names the only one",
        examples: [{ public: targetExample }],
      }),
      zones: z
        .union([folder, z.array(folder).min(1, folders)], folders)
        .default("zones")
        .meta({ description: "Folders with zone files, relative to this file", examples: ["zones"] }),
      templates: text
        .min(1, "must be a folder")
        .default("templates")
        .meta({ description: "Folder with templates for zone files, relative to this file", examples: ["templates"] }),
      defaults: z
        .strictObject(
          Object.fromEntries(
            settings
              .filter(({ isInherited }) => isInherited)
              .map((setting) => [setting.name, schemaOf(setting).optional()]),
          ),
          { error: mapOf("settings such as ttl_sec") },
        )
        .default({})
        .describe("Settings of zones that do not set them"),
      policy: z
        .strictObject(
          {
            strict: z
              .boolean({ error: "must be true or false" })
              .default(false)
              .meta({ description: "A TTL that the API would round is an error", examples: [true] }),
          },
          { error: mapOf("settings such as strict") },
        )
        .default({ strict: false }),
      rules: z
        .record(
          z.string(),
          z
            .enum(["error", "warning", "note", "off"], { error: "must be error, warning, note or off" })
            .meta({ examples: ["warning"] }),
          { error: mapOf("rules and sets such as private-address") },
        )
        .default({})
        .describe(
          `Severity of findings (error, warning, note or off), by the id of a rule or a set of rules (api, dns, practice). A rule takes precedence over its set. \`${commandLine({ run: "explain" })}\` lists them.`,
        ),
      manage: z
        .enum(["all", "listed"], { error: "must be all or listed" })
        .default("all")
        .meta({
          examples: ["all"],
          description:
            "all: records that the zone file does not list are deleted. listed: only the record types that it lists at a name are managed. A zone may override this.",
        }),
      ignore: z
        .array(ignore, { error: "must be a list of patterns" })
        .default([])
        .meta({
          description: "Live records that are left alone in every zone",
          examples: [[{ name: "_acme-challenge", type: "TXT", reason: "the ACME client writes it" }]],
        }),
      guards: z
        .strictObject(guards, { error: mapOf("thresholds such as run_deletes") })
        .prefault({})
        .describe("Thresholds of guards: changes beyond them are blocked until someone approves them"),
      nameservers: z
        .array(z.string(servers).regex(/^[^\s.]{1,63}(?:\.[^\s.]{1,63})*\.?$/, servers), servers)
        .default([])
        .meta({
          description: "Name servers of the service; exported zone files contain them as the NS records of the apex",
          examples: [["ns1.example.com", "ns2.example.com"]],
        }),
    },
    { error: mapOf("settings such as zones") },
  );

function schemaOf({ kind, choices }: ZoneDefault): z.ZodType<string | number | string[]> {
  if (kind === "duration") return seconds;
  if (kind === "list") return texts;
  return choices ? z.enum(choices, { error: `must be ${choices.join(" or ")}` }) : text;
}

export type Config = z.output<ReturnType<typeof configSchema>>;

function mapOf(what: string) {
  return ({ code }: { code?: string }) => (code === "unrecognized_keys" ? undefined : `must be a map of ${what}`);
}

/** The name of the file, at the root of a repository of zones. */
export const configFile = "zonewright.yaml";

export interface ReadConfig {
  readonly config: Config;
  /** Path of a setting, such as `defaults`, `soa_email`. */
  readonly placeOf: (...path: (string | number)[]) => Place | undefined;
}

/**
 * Reads the text of a config file for zones with these settings; an empty one gives the defaults.
 * @throws {ProblemError} that names every wrong key and value with its place.
 */
export function readConfig(file: string, text: string | Uint8Array, settings: readonly ZoneDefault[]): ReadConfig {
  const { value, placeOf } = readSettings(file, text, {
    schema: configSchema(settings),
    empty: {},
    check: findTargetFaults,
  });
  return { config: value, placeOf };
}
