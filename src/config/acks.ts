import * as z from "zod";
import { isDay } from "../diagnostics/day.ts";
import type { Place } from "../diagnostics/problem.ts";
import { readSettings } from "./settings-file.ts";

/** The name of the file, beside the config. */
export const acksFile = "acks.yaml";

/** Somebody says that what a guard holds in a zone is meant: these effects, and no others. */
export interface Ack {
  readonly guard: string;
  /** A zone's name without its final dot, `*` for what is held of the run as a whole. */
  readonly zone: string;
  /** The first 16 or more digits of the digest of the effects that the guard holds. */
  readonly effects: string;
  readonly reason: string;
  /** The last day on which it counts, in UTC. */
  readonly until: string;
  readonly at?: Place;
}

/**
 * Reads the text of `acks.yaml`; an empty one holds none. `guards` are the ids that there are.
 * @throws {ProblemError} that names every wrong key and value with its place.
 */
export function readAcks(file: string, text: string | Uint8Array, guards: readonly string[]): Ack[] {
  const { value, placeOf } = readSettings(file, text, { schema: acksSchema(guards), knownKeys: () => keys, empty: [] });
  return value.map((ack, index): Ack => {
    const at = placeOf(index);
    return { ...ack, ...(at && { at }) };
  });
}

const keys = ["guard", "zone", "effects", "reason", "until"];

/** Does a text say something? The `…` that plan prints in its place does not, and neither do blanks. */
function isReason(value: unknown): boolean {
  return typeof value === "string" && /[\p{L}\p{N}]/u.test(value);
}

function acksSchema(guards: readonly string[]) {
  const guard = `must be one of ${guards.join(", ")}`;
  const zone = "must be the name of a zone, or *";
  const effects = "must be the 16 to 64 digits that plan prints, in quotes";
  const reason = "must say why the change is intended";
  const fix = 'Write a sentence in the place of the printed "…", such as: reason: mail moves to the new host.';
  const day = "must be a day such as 2027-01-31";
  const ack = z.strictObject(
    {
      guard: z.enum(guards, guard),
      zone: z.string(zone).min(1, zone),
      effects: z.string(effects).regex(/^[0-9a-f]{16,64}$/, effects),
      reason: z.custom<string>(isReason, { error: reason, params: { fix } }),
      until: z.string(day).refine(isDay, day),
    },
    { error: ({ code }) => (code === "unrecognized_keys" ? undefined : `must be a map of ${keys.join(", ")}`) },
  );
  return z.array(ack, "must be a list of acknowledgements");
}
