import { advise } from "../../diagnostics/advice.ts";
import { hasErrors, type Problem, ProblemError, problemError } from "../../diagnostics/problem.ts";
import { isSameName } from "../../dns/name/name.ts";
import type { DotlessTarget, Zone } from "../../dns/zone/zone.ts";
import type { ReadResult, Report, ZoneFileBytes } from "../kit/source.ts";
import { completeTargets, findNewlyDoubtful } from "./complete-targets.ts";
import { compareZones, type Difference, newExcuses } from "./difference.ts";
import { reconcileSoa } from "./reconcile-soa.ts";

/** A file, its desired zone, and their difference. */
export interface Task {
  readonly previous: ZoneFileBytes;
  readonly before: Zone;
  /** Its `lenient` entries are only the new ones. */
  readonly after: Zone;
  readonly difference: Difference;
}

/**
 * Writes a zone into a file: unchanged if the file already contains it, or else the result of `edit`, which is verified
 * by reading it. `edit` gets the result of reading; `shape` converts the zone to the form of the format.
 * @throws {ProblemError} with the file's errors; `rewrite-name`; `rewrite-inexact` if reading the result does not give
 * the zone.
 */
export function rewriteFile<Result extends ReadResult>(
  read: (file: ZoneFileBytes) => Result,
  { zone, previous, report }: { zone: Zone; previous: ZoneFileBytes; report?: Report | undefined },
  edit: (task: Task, result: Result) => Uint8Array,
  shape: (zone: Zone) => Zone = (zone) => zone,
): Uint8Array {
  const result = read(previous);
  const { zone: before } = result;
  refuseErrors(result.problems);
  if (!isSameName(before.name, zone.name)) {
    throw problemError("rewrite-name", `${previous.file} contains the zone "${before.name}", not "${zone.name}"`);
  }
  const wanted = reconcileSoa(before, zone, previous.settings, report);
  if (compareZones(before, wanted).isNone) return previous.bytes;
  // Entries of the file stay, except those of an owner that goes.
  const excused = newExcuses(before, wanted);
  const after = shape({ ...wanted, excused });
  let bytes = edit({ previous, before, after, difference: compareZones(before, after) }, result);
  let again = read({ ...previous, bytes });
  refuseErrors(again.problems);
  const doubtful = findNewlyDoubtful(before, again.zone);
  if (doubtful.length > 0) {
    bytes = completeTargets(previous.file, bytes, doubtful);
    again = read({ ...previous, bytes });
    refuseErrors(again.problems);
    const [left] = findNewlyDoubtful(before, again.zone);
    if (left) throw undottedProblem(left);
  }
  const surplus = newExcuses({ excused: [...(before.excused ?? []), ...excused] }, again.zone);
  if (surplus.length === 0 && compareZones(again.zone, after).isNone) return bytes;
  const fix = advise`Edit the file by hand, or run ${{ run: "fmt" }} on it first.`;
  throw problemError("rewrite-inexact", `the change cannot be made in the current form of ${previous.file}`, { fix });
}

/** The error about a target that only a person can write as an absolute name. */
function undottedProblem({ written, name, at }: DotlessTarget): ProblemError {
  const summary = `"${written}" would look like a name without its final dot, because the records of ${name} are deleted`;
  return problemError("rewrite-inexact", summary, { fix: `Write "${name}" by hand first.`, place: at });
}

function refuseErrors(problems: readonly Problem[]): void {
  if (hasErrors(problems)) throw new ProblemError(problems.filter(({ severity }) => severity === "error"));
}
