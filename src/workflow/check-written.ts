import { type Problem, ProblemError, problem } from "../diagnostics/problem.ts";
import type { Zone } from "../dns/zone.ts";
import type { ReadZone } from "../formats/files.ts";
import type { Project } from "./project.ts";
import { checkFile, completeZone } from "./zones.ts";

/** A zone that a file is written from: as it was read, or made of records. */
export interface WrittenFrom {
  readonly zone: Zone;
  readonly problems?: readonly Problem[];
}

/**
 * Checks a zone file that was written and read back, as `validate` does. Returns its errors, each of which its sources
 * have as often; these are checked only if there are any.
 * @throws {ProblemError} `write-invalid`, with the errors that no source has: a mistake of the writer
 */
export function checkWritten(
  project: Project,
  written: Pick<ReadZone, "file" | "zone" | "problems">,
  sources: readonly WrittenFrom[],
): readonly Problem[] {
  const errors = errorsOf(project, written);
  if (errors.length === 0) return errors;
  const known = new Map<string, number>();
  const count = (error: Problem, by: number) => {
    const left = (known.get(keyOf(error)) ?? 0) + by;
    known.set(keyOf(error), left);
    return left;
  };
  for (const { zone, problems = [] } of sources)
    for (const error of errorsOf(project, { zone: completeZone(zone, project), problems })) count(error, 1);
  const fresh = errors.filter((error) => count(error, -1) < 0);
  if (fresh.length > 0) throw writeFault(written.file, fresh);
  return errors;
}

/** The error that a writer made these errors. */
export function writeFault(file: string, errors: readonly Problem[]): ProblemError {
  const summary = `${file} would have errors that its source does not have, so it is not written`;
  const fix = "This is a mistake of zonewright: please report it with the lines above.";
  return new ProblemError([...errors, problem("write-invalid", summary, { fix })]);
}

function errorsOf(project: Project, read: Pick<ReadZone, "zone" | "problems">): Problem[] {
  return checkFile(project, read).filter(({ severity }) => severity === "error");
}

function keyOf({ id, owner = "" }: Problem): string {
  return `${id} ${owner.toLowerCase()}`;
}
