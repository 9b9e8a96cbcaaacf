import { hasErrors, type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import { isSameName } from "../../dns/name.ts";
import type { Zone } from "../../dns/zone.ts";
import { compareZones, type Difference } from "./difference.ts";
import { reconcileSoa } from "./reconcile-soa.ts";
import type { ReadResult, Report, ZoneFile } from "./source.ts";

/** A file that has been read, the zone that it shall hold, and how far they are apart. */
export interface Task {
  readonly previous: ZoneFile;
  readonly before: Zone;
  readonly after: Zone;
  readonly difference: Difference;
}

/**
 * The bytes of a file with a zone written into it: unchanged where the file says the same already, else the result of
 * `edit`, read again as a check. `edit` gets what reading gave; `shape` gives the zone the form that the format has for
 * it.
 * @throws {ProblemError} with the file's errors; `rewrite-name`; `rewrite-inexact` where reading does not give the
 * zone.
 */
export function rewriteFile<Result extends ReadResult>(
  read: (file: ZoneFile) => Result,
  { zone, previous, report }: { zone: Zone; previous: ZoneFile; report?: Report | undefined },
  edit: (task: Task, result: Result) => Uint8Array,
  shape: (zone: Zone) => Zone = (zone) => zone,
): Uint8Array {
  const result = read(previous);
  const { zone: before } = result;
  refuseErrors(result.problems);
  if (!isSameName(before.name, zone.name)) {
    throw new ProblemError(problem("rewrite-name", `${previous.file} holds ${before.name}, not ${zone.name}`));
  }
  const wanted = reconcileSoa(before, zone, previous.settings, report);
  if (compareZones(before, wanted).isNone) return previous.bytes;
  const after = shape(wanted);
  const bytes = edit({ previous, before, after, difference: compareZones(before, after) }, result);
  const again = read({ ...previous, bytes });
  refuseErrors(again.problems);
  if (compareZones(again.zone, after).isNone) return bytes;
  const fix = "Edit it by hand, or give it the canonical form with zonewright fmt first.";
  throw new ProblemError(
    problem("rewrite-inexact", `the change does not fit into ${previous.file} as it is written`, { fix }),
  );
}

function refuseErrors(problems: readonly Problem[]): void {
  if (hasErrors(problems)) throw new ProblemError(problems.filter(({ severity }) => severity === "error"));
}
