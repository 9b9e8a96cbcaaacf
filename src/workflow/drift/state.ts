import { resolve } from "node:path";
import * as z from "zod";
import { advise } from "../../diagnostics/advice.ts";
import { type ProblemError, problemError } from "../../diagnostics/problem.ts";
import type { NameKey } from "../../dns/name/name.ts";
import type { Id } from "../../dns/zone/desired-live.ts";
import { readIfPresent } from "../../file-system.ts";
import type { RunContext } from "../project/run-context.ts";
import { type ApiSnapshot, apiSnapshotSchema } from "../project/snapshot-target.ts";

/** Minor versions add optional parts; another major version is another format. */
const stateFormat = "zonewright.drift-state/1";

/** Names come from valid names, and ids from the service. */
const name = z.string() as unknown as z.ZodType<NameKey, string>;
const id = z.union([z.int(), z.string()]) as unknown as z.ZodType<Id, string | number>;

const stateSchema = z.object({
  format: z.literal(stateFormat),
  /** The snapshot that it continues; null without one. */
  since: z.string().nullable(),
  /** The live zones at its `lastEvent`. */
  live: apiSnapshotSchema,
  /** The other domains of the account when they were last listed. */
  others: z
    .array(
      z.object({
        name,
        created: z.string().optional(),
      }),
    )
    .optional(),
  /** The events since the snapshot, oldest first. */
  events: z.array(
    z.object({
      id,
      zone: name,
      action: z.string(),
      username: z.string(),
      created: z.string(),
      records: z.array(z.object({ owner: name, type: z.string() })),
    }),
  ),
  /** Why events before `from`, in ISO 8601, are missing. */
  gap: z.object({ from: z.string(), why: z.string() }).optional(),
});

/** The view of an earlier poll, so that the next one reads only what changed since. */
export type DriftState = z.output<typeof stateSchema>;

/**
 * Reads the state of an earlier poll. Undefined if there is none, or if it continues another snapshot: what changed
 * since this snapshot is then found from the snapshot itself.
 * @throws {ProblemError} `drift-state`
 */
export function readState({ cwd }: Pick<RunContext, "cwd">, file: string, snapshot: ApiSnapshot | undefined) {
  let value: unknown;
  try {
    const octets = readIfPresent(resolve(cwd, file));
    if (octets === undefined) return undefined;
    value = JSON.parse(octets.toString());
  } catch (error) {
    throw stateError(file, (error as Error).message);
  }
  const parsed = stateSchema.safeParse(value);
  if (!parsed.success) throw stateError(file, parsed.error.issues[0]?.message ?? "");
  return parsed.data.since === snapshotId(snapshot) ? parsed.data : undefined;
}

export function newState(snapshot: ApiSnapshot | undefined, rest: Omit<DriftState, "format" | "since">): DriftState {
  return { format: stateFormat, since: snapshotId(snapshot), ...rest };
}

function snapshotId(snapshot: ApiSnapshot | undefined): string | null {
  return snapshot ? `${snapshot.target.api} ${snapshot.time} ${snapshot.lastEvent}` : null;
}

function stateError(file: string, why: string): ProblemError {
  const fix = advise`Delete it, or name another file with ${{ set: "state" }}.`;
  return problemError("drift-state", advise`${file} is not a state of ${{ run: "drift" }}: ${why}`, { fix });
}
