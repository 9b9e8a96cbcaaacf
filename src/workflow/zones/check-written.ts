import type { Problem } from "../../diagnostics/problem.ts";
import type { Zone } from "../../dns/zone/zone.ts";
import { errorsOf, findFreshErrors, writeFault } from "../../formats/edit/fresh-errors.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import type { Project } from "../project/project.ts";
import { checkFile, completeZone } from "./zones.ts";

/** A zone that a file is written from: as it was read, or made of records. */
export interface WrittenFrom {
  readonly zone: Zone;
  readonly problems?: readonly Problem[];
  /** The zone in the form that it takes in some files. */
  readonly inFile?: Zone;
}

/**
 * Checks a zone file that was written and read back, as `validate` does. Returns its errors, each of which its sources
 * have as often; these are checked only if there are any.
 * @throws {ProblemError} `write-invalid`, with the errors that no source has: a mistake of the writer
 */
export function checkWritten(
  project: Project,
  written: Pick<ZoneOfFile, "file" | "zone" | "problems">,
  sources: readonly WrittenFrom[],
): readonly Problem[] {
  const errors = errorsOf(checkFile(project, written));
  if (errors.length === 0) return errors;
  const known = sources.map(({ zone, inFile = zone, problems = [] }) =>
    [...new Set([zone, inFile])].map((form) => checkFile(project, { zone: completeZone(form, project), problems })),
  );
  const fresh = findFreshErrors(errors, known);
  if (fresh.length > 0) throw writeFault(written.file, fresh);
  return errors;
}
