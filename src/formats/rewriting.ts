import { hasErrors, type Problem, ProblemError, problem } from "../diagnostics/problem.ts";
import { isSameName } from "../dns/name.ts";
import type { Zone } from "../dns/zone.ts";
import { agreed } from "./agreed.ts";
import { type Difference, difference } from "./difference.ts";
import type { ReadResult, Report, ZoneFile } from "./source.ts";

/** A file that has been read, the zone that it shall hold, and how far they are apart. */
export interface Task {
  readonly previous: ZoneFile;
  readonly before: Zone;
  readonly after: Zone;
  readonly difference: Difference;
}

/**
 * The frame of writing into a file: what says the same already stays as it is, octet for octet, and what `edit` makes of
 * the rest is read again before anybody gets it. `shape` gives the zone the form that the format has for it.
 * @throws {ProblemError} with the file's errors; `rewrite-name`; `rewrite-inexact` where reading does not give the zone.
 */
export function rewriting(
  read: (file: ZoneFile) => ReadResult,
  { zone, previous, report }: { zone: Zone; previous: ZoneFile; report?: Report | undefined },
  edit: (task: Task) => Uint8Array,
  shape: (zone: Zone) => Zone = (zone) => zone,
): Uint8Array {
  const { zone: before, problems } = read(previous);
  refuseErrors(problems);
  if (!isSameName(before.name, zone.name)) {
    throw new ProblemError(problem("rewrite-name", `${previous.file} holds ${before.name}, not ${zone.name}`));
  }
  const wanted = agreed(before, zone, report);
  if (difference(before, wanted).isNone) return previous.bytes;
  const after = shape(wanted);
  const bytes = edit({ previous, before, after, difference: difference(before, after) });
  const again = read({ ...previous, bytes });
  refuseErrors(again.problems);
  if (difference(again.zone, after).isNone) return bytes;
  const fix = "Edit it by hand, or give it the canonical form with zonewright fmt first.";
  throw new ProblemError(
    problem("rewrite-inexact", `the change does not fit into ${previous.file} as it is written`, { fix }),
  );
}

function refuseErrors(problems: readonly Problem[]): void {
  if (hasErrors(problems)) throw new ProblemError(problems.filter(({ severity }) => severity === "error"));
}
