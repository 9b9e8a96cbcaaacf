import * as z from "zod";
import type { NameKey } from "../../dns/name/name.ts";
import type { Id } from "../../dns/zone/desired-live.ts";

/** Minor versions add optional parts; another major version is another format. */
export const planFormat = "zonewright.plan/1";

const about = <T extends z.ZodType>(schema: T, text: string): T => schema.describe(text);
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const moment = z.iso.datetime();
/** Names in plan files come from valid names. */
const key = z.string() as unknown as z.ZodType<NameKey, string>;
const name = about(key, "Absolute, with the final dot, in lower case");
const count = z.int().min(0);
const id = z.union([z.int(), z.string()]) as unknown as z.ZodType<Id, string | number>;

const value = z.object({
  ttl_sec: about(count, "TTL that resolvers see, in seconds"),
  isDefault: z.literal(true).optional().describe("Whether the TTL is the zone's default"),
  rdata: about(z.string(), "In zone file syntax, names in lower case"),
});
const record = value.extend({
  id: about(id, "Id of the record in the service"),
  updated: z.string().optional().describe("When the service last wrote the record"),
});

const of = { zone: name, name };
const gaps = z
  .array(
    z.object({
      owner: about(key, "`*.` before a name: any name directly below it that has no records of its own"),
      types: z.array(z.string()),
      seconds: about(count, 'How long a resolver may cache "no such record"'),
    }),
  )
  .optional()
  .describe("Names and types without an answer from this step on, until this or a later step is done");
const inverse = z
  .enum(["create", "change", "delete"])
  .describe("The change that reverts it, with before and after exchanged");
const written = {
  ...of,
  type: z.string(),
  step: about(z.int(), "The writes of one step are sent directly after one another"),
  requires: about(z.array(z.int()), "Steps that must be done before"),
  requiresZones: z.array(z.string()).optional().describe("Zones that must start or stop being served before"),
  gaps,
  inverse,
  at: z.string().optional().describe("File and line where it is set"),
  via: z.array(z.string()).optional().describe("Files and lines that include that file, or use that template"),
};
const change = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("create"), ...written, before: z.null(), after: value }),
  z.object({ kind: z.literal("change"), ...written, before: record, after: value }),
  z.object({ kind: z.literal("delete"), ...written, before: record, after: z.null() }),
  z.object({
    kind: z.literal("setting"),
    ...of,
    type: about(z.string(), "The setting"),
    before: about(z.string().nullable(), "JSON; null for a new domain"),
    after: z.string(),
    gaps,
  }),
  z.object({
    kind: z.literal("domain"),
    ...of,
    type: about(z.string(), "master or slave, or another kind in the words of the service"),
    before: about(
      z.string().nullable(),
      "null if the domain is new; for a deleted one, its status and number of records",
    ),
    after: about(z.string().nullable(), "active or disabled, once its records are written; null if it is deleted"),
    gaps,
  }),
]);

const note = z.object({
  severity: z.enum(["error", "warning", "note"]),
  rule: z.string(),
  summary: z.string(),
  at: z.object({ file: z.string(), line: z.int(), column: z.int(), length: z.int() }).optional(),
});

/** A plan file, which is reviewed and then applied. */
export const planSchema = z.object({
  format: z.literal(planFormat),
  tool: z.object({ name: z.literal("zonewright"), version: z.string() }),
  source: z.object({
    commit: z.string().optional().describe("The commit of the work tree of the files"),
    config: about(digest, "SHA-256 of the settings of the config, in canonical JSON"),
    zones: z.array(
      z.object({
        zone: name,
        files: about(
          z.array(z.object({ file: z.string(), sha256: digest })),
          "The zone file and its includes, relative to the working folder; the digests are information only, except in plan files without `desired`",
        ),
        desired: z
          .object({ settings: digest, records: digest, scope: digest })
          .optional()
          .describe("SHA-256 of the desired zone, by parts; apply refuses a zone with other digests"),
        nodes: z
          .array(
            z.object({ label: z.string(), type: z.string(), private: z.literal(true).optional(), address: z.string() }),
          )
          .optional()
          .describe("The nodes that the zone refers to, with the addresses of its records"),
      }),
    ),
  }),
  target: z.object({
    name: z.string().optional().describe("The name of the target in the config; absent in a project without targets"),
    api: about(z.string(), "The base URL of the API"),
    account: about(
      z.string().nullable(),
      "External unique identifier of the account; null if the token may not read it",
    ),
  }),
  observed: z.object({
    time: moment,
    lastEvent: id
      .optional()
      .describe(
        "The newest event of the account at planning, 0 if there was none; absent if the token may not read events, and in plans of snapshots",
      ),
    zones: z.array(
      z.object({
        zone: name,
        domainId: about(id.nullable(), "null if the domain does not exist yet"),
        digest: about(digest.nullable(), "SHA-256 of its settings and records, in canonical JSON"),
        records: count,
      }),
    ),
  }),
  changes: about(z.array(change), "In the order of their steps, zone by zone"),
  inSync: about(count, "Zones without changes"),
  ignored: about(count, "Live records that an ignore pattern leaves alone"),
  unsupported: z
    .array(z.object({ name, type: z.string() }))
    .optional()
    .describe("RRsets of the files with records that the service cannot store, so that these are not sent"),
  unmanaged: about(z.array(z.string()), "Zones of the account without a zone file"),
  skipped: z
    .array(z.object({ zone: name, file: z.string(), reason: z.string() }))
    .optional()
    .describe("Zones that the plan leaves out: their files have errors, or they need another one of these zones"),
  reads: count,
  writes: count,
  notes: z.array(note),
  guards: z.array(
    z.object({
      guard: z.string(),
      zone: about(z.string(), "A zone, or * for the run as a whole"),
      // Version 0.1 wrote "held".
      state: z.enum(["blocked", "allowed", "acknowledged", "held"]).transform((s) => (s === "held" ? "blocked" : s)),
      reason: z.string().optional(),
      texts: z.array(z.string()),
      facts: z
        .array(z.string())
        .optional()
        .describe("The facts behind the texts besides the effects, such as the records that point to a name"),
      effects: about(digest, "SHA-256 of the blocked effects"),
    }),
  ),
  effectDigest: about(digest, "SHA-256 of the approved effects, without ids and times"),
  comment: digest
    .optional()
    .describe("SHA-256 of the comment on the pull request that shows the plan, without the digest of this file"),
  expires: moment,
  nonce: about(z.string().regex(/^[0-9a-f]{32}$/), "A plan can be applied once"),
  signature: z
    .object({
      algorithm: z.literal("ed25519"),
      key: about(
        z.string().regex(/^[0-9a-f]{16}$/),
        "Id of the key: the first 16 hexadecimal digits of the SHA-256 of the public key in DER",
      ),
      value: about(z.string().regex(/^[0-9A-Za-z+/]{86}==$/), "The signature (RFC 8032), in Base64"),
    })
    .optional()
    .describe("Signature of the file in canonical JSON (RFC 8785), without `signature` and `planDigest`"),
  planDigest: about(digest, "SHA-256 of the rest of the file, in canonical JSON (RFC 8785)"),
});

export type PlanFile = z.output<typeof planSchema>;
export type PlanChange = PlanFile["changes"][number];

/** Minor versions add optional parts; another major version is another format. */
export const planSetFormat = "zonewright.plans/1";

/** The plan files of several targets in one file. */
export const planSetSchema = z.object({
  format: z.literal(planSetFormat),
  plans: about(z.array(planSchema), "A plan file for each target, in the order of the config"),
  failed: z
    .array(z.object({ target: z.string(), problems: z.array(note) }))
    .optional()
    .describe("The targets that could not be planned, and why; apply leaves them alone"),
  effectDigest: about(
    digest,
    "SHA-256 of the name and `effectDigest` of each target with changes, in canonical JSON; without changes, that of a plan without changes",
  ),
  planDigest: about(digest, "SHA-256 of the rest of the file, in canonical JSON (RFC 8785)"),
});

export type PlanSet = z.output<typeof planSetSchema>;

/** The JSON Schema (draft 7) of the plan files of several targets. */
export function planSetJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(planSetSchema, { target: "draft-7", io: "input" });
  return { $schema: schema.$schema, $id: "urn:zonewright:plans", title: "Plan files of several targets", ...schema };
}

/** The JSON Schema (draft 7, which editors know best) of a plan file. */
export function planJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(planSchema, { target: "draft-7", io: "input" });
  return { $schema: schema.$schema, $id: "urn:zonewright:plan", title: "Plan file", ...schema };
}
