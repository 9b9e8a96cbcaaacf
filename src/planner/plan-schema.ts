import * as z from "zod";
import type { Id } from "../dns/desired-live.ts";
import type { NameKey } from "../dns/name.ts";

/** Minor versions add what readers may pass over; another major version is another format. */
export const planFormat = "zonewright.plan/1";

const about = <T extends z.ZodType>(schema: T, text: string): T => schema.describe(text);
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const moment = z.iso.datetime();
/** Written by a plan from names that were read. */
const key = z.string() as unknown as z.ZodType<NameKey, string>;
const name = about(key, "Absolute, with the final dot, in lower case");
const count = z.int().min(0);
const id = z.union([z.int(), z.string()]) as unknown as z.ZodType<Id, string | number>;

const value = z.object({
  ttl_sec: about(count, "What resolvers see, in seconds"),
  isDefault: z.literal(true).optional().describe("The TTL is the zone's own"),
  rdata: about(z.string(), "As a master file writes it, names in lower case"),
});
const record = value.extend({
  id: about(id, "The service's id of the record"),
  updated: z.string().optional().describe("When the service wrote it last"),
});

const of = { zone: name, name };
const gaps = z
  .array(
    z.object({
      owner: about(key, "`*.` and a name stands for any name directly below that one without records of its own"),
      types: z.array(z.string()),
      seconds: about(count, "For how long a resolver may cache that there is no such record"),
    }),
  )
  .optional()
  .describe("Names and types that have no answer from this step on, until it or a later one is done");
const inverse = z.enum(["create", "change", "delete"]).describe("What takes it back, with before and after exchanged");
const written = {
  ...of,
  type: z.string(),
  step: about(z.int(), "Writes of one step follow one another with nothing between"),
  requires: about(z.array(z.int()), "Steps that are done before"),
  requiresZones: z.array(z.string()).optional().describe("Zones that begin or cease to be served before"),
  gaps,
  inverse,
  at: z.string().optional().describe("File and line that say it"),
};
const change = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("create"), ...written, before: z.null(), after: value }),
  z.object({ kind: z.literal("change"), ...written, before: record, after: value }),
  z.object({ kind: z.literal("delete"), ...written, before: record, after: z.null() }),
  z.object({
    kind: z.literal("setting"),
    ...of,
    type: about(z.string(), "The setting"),
    before: about(z.string().nullable(), "JSON; null in a domain that is new"),
    after: z.string(),
    gaps,
  }),
  z.object({
    kind: z.literal("domain"),
    ...of,
    type: about(z.string(), "master or slave"),
    before: about(
      z.string().nullable(),
      "null where it is new; of one that goes its status and how many records it has",
    ),
    after: about(z.string().nullable(), "active or disabled, once its records are there; null where it goes"),
    gaps,
  }),
]);

/** A plan file: what people review and apply carries out. */
export const planSchema = z.object({
  format: z.literal(planFormat),
  tool: z.object({ name: z.literal("zonewright"), version: z.string() }),
  source: z.object({
    commit: z.string().optional().describe("The commit of the work tree that the files lay in"),
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
          .describe("SHA-256 of what the zone is to become, by parts; apply refuses a zone with other digests"),
      }),
    ),
  }),
  target: z.object({
    api: about(z.string(), "The base URL of the API"),
    account: about(z.string().nullable(), "Its external unique identifier; null where the token may not read it"),
  }),
  observed: z.object({
    time: moment,
    lastEvent: id
      .optional()
      .describe(
        "The newest event of the account then, 0 before the first; absent where the token may not read events, and in plans of snapshots",
      ),
    zones: z.array(
      z.object({
        zone: name,
        domainId: about(id.nullable(), "null where there is no domain yet"),
        digest: about(digest.nullable(), "SHA-256 of its settings and records, in canonical JSON"),
        records: count,
      }),
    ),
  }),
  changes: about(z.array(change), "In the order of their steps, zone by zone"),
  inSync: about(count, "Zones that are as they should be"),
  ignored: about(count, "Live records that a rule leaves alone"),
  unmanaged: about(z.array(z.string()), "Zones of the account that no file describes"),
  reads: count,
  writes: count,
  notes: z.array(
    z.object({
      severity: z.enum(["error", "warning", "note"]),
      rule: z.string(),
      summary: z.string(),
      at: z.object({ file: z.string(), line: z.int(), column: z.int(), length: z.int() }).optional(),
    }),
  ),
  guards: z.array(
    z.object({
      guard: z.string(),
      zone: about(z.string(), "A zone, or * for the run as a whole"),
      state: z.enum(["held", "allowed", "acknowledged"]),
      reason: z.string().optional(),
      texts: z.array(z.string()),
      facts: z
        .array(z.string())
        .optional()
        .describe("What the texts rest on besides the effects, such as the records that point to a name"),
      effects: about(digest, "SHA-256 of the effects that it holds"),
    }),
  ),
  effectDigest: about(digest, "SHA-256 of what the plan does, without ids and times: what is approved"),
  expires: moment,
  nonce: about(z.string().regex(/^[0-9a-f]{32}$/), "A plan is applied once"),
  planDigest: about(digest, "SHA-256 of all the rest, in canonical JSON (RFC 8785)"),
});

export type PlanFile = z.output<typeof planSchema>;
export type PlanChange = PlanFile["changes"][number];

/** The JSON Schema (draft 7, which editors know best) of a plan file. */
export function planJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(planSchema, { target: "draft-7", io: "input" });
  return { $schema: schema.$schema, $id: "urn:zonewright:plan", title: "Plan file", ...schema };
}
