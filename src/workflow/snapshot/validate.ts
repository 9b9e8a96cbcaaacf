import { dirname, resolve } from "node:path";
import { acksFile } from "../../config/acks.ts";
import { type Problem, ProblemError } from "../../diagnostics/problem.ts";
import { statIfPresent } from "../../read-file.ts";
import type { Project } from "../project/project.ts";
import { findCommittedState } from "../project/state-folder.ts";
import { checkZones, readZones, sortProblems, splitTemplates } from "../zones/zones.ts";
import type { SnapshotToPlan } from "./snapshot.ts";

export interface Validation {
  readonly problems: readonly Problem[];
  /** The files of the zones. */
  readonly files: readonly string[];
  /** Numbers of zones and of records. */
  readonly zones: number;
  readonly records: number;
  /** Number of templates that were checked by themselves. */
  readonly templates: number;
}

export interface ValidatingOptions {
  /** A snapshot of the live zones: addresses that no node has any more are reported. */
  readonly against?: SnapshotToPlan | undefined;
  /** The reason why there is none. */
  readonly note?: Problem | undefined;
}

/**
 * Checks zone files: syntax, DNS rules, limits of the target. `names` are zones or files; all zones if empty. A
 * template that is named is read with its defaults; rules and limits apply to the zones that use it.
 * @throws {ProblemError} if there is nothing to check.
 */
export async function validateZones(
  project: Project,
  names: readonly string[],
  { against, note }: ValidatingOptions = {},
): Promise<Validation> {
  const { templates, others } = splitTemplates(project, names);
  const alone = templates.map((name) => project.templates.readAlone(name));
  const ofTemplates = alone.flatMap(({ problems }) => problems);
  const files = alone.map(({ file }) => file);
  if (templates.length > 0 && others.length === 0)
    return { problems: ofTemplates, files, zones: 0, records: 0, templates: templates.length };
  const read = await readZones(project, others);
  const state = findCommittedState(project);
  const { problems, desired } = await checkZones(read, project, project.target.accept);
  const dangling = against
    ? await (await import("../zones/dangling.ts")).findDanglingInFiles(project, desired, {
        ...against.target.read,
        time: against.source.time,
      })
    : [];
  return {
    problems: sortProblems([
      ...ofTemplates,
      ...problems,
      ...dangling,
      ...(note ? [note] : []),
      ...(state ? [state] : []),
      ...(await acksProblems(project)),
    ]),
    files: [...files, ...read.zones.map(({ file }) => file)],
    zones: read.zones.length,
    records: read.zones.reduce((sum, { zone }) => sum + zone.records.length, 0),
    templates: templates.length,
  };
}

/** Problems of `acks.yaml` that need no plan. The guards are loaded only for it. */
async function acksProblems(project: Project): Promise<readonly Problem[]> {
  if (statIfPresent(resolve(project.cwd, dirname(project.file), acksFile)) === undefined) return [];
  const { acksOf } = await import("../project/project-acks.ts");
  const { expiredProblem } = await import("../../planner/blocks/acks.ts");
  try {
    return acksOf(project)
      .filter(({ until }) => until < project.today)
      .map(expiredProblem);
  } catch (error) {
    if (error instanceof ProblemError) return error.problems;
    throw error;
  }
}
