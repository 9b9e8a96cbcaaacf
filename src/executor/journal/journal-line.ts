import * as z from "zod";
import type { Name } from "../../dns/name/name.ts";
import type { Rdata } from "../../dns/rdata/record-type.ts";
import { findType } from "../../dns/types/index.ts";
import type { Id } from "../../dns/zone/desired-live.ts";
import type { ZoneLosses } from "../../planner/changes/zone-losses.ts";

/** A name that was validated before the line was written. */
const name = z.string() as unknown as z.ZodType<Name, string>;

const id = z.union([z.int(), z.string()]) as unknown as z.ZodType<Id, string | number>;

/** A record in a line or a baseline. */
export const journalRecordSchema = z
  .object({
    id: id.optional(),
    owner: name,
    type: z.string(),
    /** Seconds; absent for the zone's default. */
    ttl: z.int().optional(),
    /** A TTL that is treated as equal. */
    otherTtl: z.int().optional(),
    data: z.record(z.string(), z.unknown()),
  })
  .refine(({ type }) => findType(type) !== undefined)
  .transform(({ data, ...record }) => ({ ...record, data: fromJournal(record.type, data) }));

/** Converts RDATA; journals of version 0.1 use the API's field names. */
function fromJournal(type: string, data: Readonly<Record<string, unknown>>): Rdata {
  const fields = findType(type)?.fields ?? [];
  return Object.fromEntries(fields.map(({ name, apiName = name }) => [name, data[name] ?? data[apiName]]));
}

const setting = z.object({ name: z.string(), before: z.unknown(), after: z.unknown() });

/** The write: one of a step, of the settings before or after the records, or the creation or deletion of the zone. */
const where = {
  zone: name,
  step: z.union([z.int(), z.enum(["zone", "settings", "last-settings", "delete-zone"])]),
  write: z.int(),
  /** Reverts a write of this step. */
  back: z.literal(true).optional(),
};

const losses: z.ZodType<ZoneLosses> = z.object({
  disabled: z.int().optional(),
  others: z.int().optional(),
  isSigned: z.literal(true).optional(),
});

const at = z.string();

/** The approvals of a run, for the run that continues it. */
const approved = z.object({
  /** SHA-256 of the effects of each zone as a whole. `continues`: with those of the run that this one continues. */
  zones: z.array(z.object({ zone: name, effects: z.string(), continues: z.literal(true).optional() })),
  /** The approved blocks of guards, with the digests of their effects and facts. */
  guards: z.array(z.object({ guard: z.string(), zone: z.string(), effects: z.string() })),
  /** The run that this one continues. */
  continues: z.string().optional(),
  /** HMAC-SHA256 of the rest and the API; the key is the token. */
  signature: z.string(),
});

/** A plan file that approves effects of a run: the digests of its effects and of the whole, and the id of its key. */
const approvedPlan = z.object({
  nonce: z.string(),
  effectDigest: z.string(),
  planDigest: z.string(),
  signedBy: z.string().optional(),
});

/**
 * A line of a journal. The lines suffice to report and undo a run; they contain no tokens, headers or bodies. Lines of
 * a kind or record type that this version does not know are skipped.
 */
const line = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("begin"),
    format: z.literal("zonewright.journal/1"),
    run: z.string(),
    at,
    /** Scheme, host and path of the API. */
    api: z.string().optional(),
    /** The name of the target in the config. */
    target: z.string().optional(),
    /** The name of the token's user, if the token may read it. */
    user: z.string().optional(),
    zones: z.array(
      z.object({
        zone: name,
        domainId: id.optional(),
        writes: z.int(),
        deletes: z.literal(true).optional(),
      }),
    ),
    /** In journals of version 0.1: the plan file that was applied. */
    planDigest: z.string().optional(),
    nonce: z.string().optional(),
    /** The commit of the zone files. */
    commit: z.string().optional(),
    /** The plan files that approve the effects of this run (`apply plan.json`). */
    approvedPlans: z.array(approvedPlan).optional().catch(undefined),
    /** Runs that were interrupted and not resumed when this one began. */
    resumes: z.array(z.string()).optional(),
    /** The run of the first pass, if this is the second one of the same apply. */
    firstPass: z.string().optional(),
    /** The run that this one undoes. */
    undoes: z.string().optional(),
    approved: approved.optional().catch(undefined),
  }),
  /** Intended writes of a step; flushed to disk before the first of them is sent. */
  z.object({
    kind: z.literal("intent"),
    zone: name,
    step: where.step,
    records: z
      .array(z.object({ before: journalRecordSchema.optional(), after: journalRecordSchema.optional() }))
      .optional(),
    settings: z.array(setting).optional(),
    /** The serial of a deleted zone, where its SOA record has 0 in its place. */
    serial: z.int().optional(),
    /** The losses with a deleted zone. */
    losses: losses.optional(),
  }),
  z.object({ kind: z.literal("sent"), ...where, at }),
  /** Confirmed by the service. `already`: someone else had made the change before, and nothing was sent. */
  z.object({ kind: z.literal("acked"), ...where, id: id.optional(), already: z.literal(true).optional() }),
  /** Refused; nothing was stored. */
  z.object({ kind: z.literal("refused"), ...where, why: z.string() }),
  z.object({ kind: z.literal("ambiguous"), ...where, why: z.string(), at }),
  z.object({ kind: z.literal("resolved"), ...where, done: z.boolean(), id: id.optional() }),
  z.object({
    kind: z.literal("zone"),
    zone: name,
    state: z.enum(["done", "differs", "failed", "stopped"]),
    why: z.string().optional(),
    /** The zone left the account during the run. */
    gone: z.literal(true).optional(),
    /** Someone else changed its data after the plan was made. */
    changed: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal("end"), at, state: z.enum(["done", "partly"]) }),
]);

export type Approved = z.infer<typeof approved>;
export type JournalLine = z.infer<typeof line>;
export type Where = z.infer<z.ZodObject<typeof where>>;
export type JournalRecord = z.infer<typeof journalRecordSchema>;
export type JournalLineOf<K extends JournalLine["kind"]> = Extract<JournalLine, { kind: K }>;

/**
 * Reads the complete lines of a journal. The last one may be truncated, and so may one that was written when the disk
 * was full.
 */
export function readJournal(text: string): JournalLine[] {
  return text.split("\n").flatMap((text) => {
    const read = line.safeParse(parseLine(text));
    return read.success ? [read.data] : [];
  });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // truncated
  }
}
