import * as z from "zod";
import type { Place } from "../diagnostics/problem.ts";
import { isDay } from "../diagnostics/quantities.ts";
import { readSettings } from "./settings-file.ts";

/** The name of the file, beside the config. */
export const acksFile = "acks.yaml";

/** The approval of changes that a guard blocks in a zone: of exactly these effects. */
export interface Ack {
  readonly guard: string;
  /** The name of the zone without its final dot, or `*` for changes blocked for the run as a whole. */
  readonly zone: string;
  /** The first 16 to 64 digits of the digest of the blocked effects. */
  readonly effects: string;
  /** The target on which they are approved; absent in a project with at most one. */
  readonly target?: string | undefined;
  readonly reason: string;
  /** The last day on which it is valid, in UTC. */
  readonly until: string;
  readonly at?: Place;
}

/**
 * Reads the text of `acks.yaml`, which may be empty. `guards` are the ids, of which `isKnown` may accept former ones.
 * @throws {ProblemError} that names every wrong key and value with its place.
 */
export function readAcks(
  file: string,
  text: string | Uint8Array,
  guards: readonly string[],
  isKnown: (guard: string) => boolean = (guard) => guards.includes(guard),
): Ack[] {
  if (text.length === 0) return [];
  const { value, placeOf } = readSettings(file, text, { schema: acksSchema(guards, isKnown), empty: [] });
  return value.map((ack, index): Ack => {
    const at = placeOf(index);
    return { ...ack, ...(at && { at }) };
  });
}

const keys = ["guard", "zone", "target", "effects", "reason", "until"];

/** Whether a text states a reason. Blanks and the `…` that plan prints for it do not. */
function isReason(value: unknown): boolean {
  return typeof value === "string" && /[\p{L}\p{N}]/u.test(value);
}

function acksSchema(guards: readonly string[], isKnown: (guard: string) => boolean) {
  const guard = `must be one of ${guards.join(", ")}`;
  const zone = "must be the name of a zone, or *";
  const effects = "must be the 16 to 64 digits that plan prints, in quotes";
  const reason = "must say why the change is intended";
  const fix = 'Write a sentence in the place of the printed "…", such as: reason: mail moves to the new host.';
  const day = "must be a day such as 2027-01-31";
  const ack = z.strictObject(
    {
      guard: z.string(guard).refine(isKnown, guard),
      zone: z.string(zone).min(1, zone),
      target: z.string("must be the name of a target").optional(),
      effects: z.string(effects).regex(/^[0-9a-f]{16,64}$/, effects),
      reason: z.custom<string>(isReason, { error: reason, params: { fix } }),
      until: z.string(day).refine(isDay, day),
    },
    { error: ({ code }) => (code === "unrecognized_keys" ? undefined : `must be a map of ${keys.join(", ")}`) },
  );
  return z.array(ack, "must be a list of acknowledgements");
}
