import { dirname, resolve } from "node:path";
import { acksFile } from "../../config/acks.ts";
import { joinProblems } from "../../diagnostics/join-problems.ts";
import { type Problem, ProblemError } from "../../diagnostics/problem.ts";
import { statIfPresent } from "../../file-system.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import type { Project } from "../project/project.ts";
import { findCommittedState } from "../project/state-folder.ts";
import { divideNames } from "../zones/divide-names.ts";
import { checkZones, readZones, sortProblems, splitTemplates, unusedTemplates } from "../zones/zones.ts";
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

/** Finds the snapshot for the part of a project for a target. */
export type FindSnapshot = (view: Project) => Promise<ValidatingOptions>;

/**
 * Checks zone files: syntax, DNS rules, limits of the target. `names` are zones or files; all zones if empty. A
 * template that is named is read with its defaults; rules and limits apply to the zones that use it. With several
 * targets, a problem that one target has and another does not names its targets.
 * @throws {ProblemError} if there is nothing to check.
 */
export async function validateZones(
  project: Project,
  names: readonly string[],
  options: ValidatingOptions | FindSnapshot = {},
): Promise<Validation> {
  const validated: TargetValidation[] = [];
  for (const { view, names: own } of await divideNames(project, names)) {
    const found = typeof options === "function" ? await options(view) : options;
    validated.push({ name: view.view?.name ?? "", ...(await validateView(view, own, found)) });
  }
  const read = new Map(validated.flatMap(({ read }) => read).map((one) => [one.file, one]));
  const { targets } = project;
  const isWhole = targets.length > 1 && names.length === 0 && validated.length === targets.length;
  const unused = isWhole ? unusedTemplates(project, [...read.values()]) : [];
  return {
    problems:
      targets.length > 1
        ? sortProblems([...joinProblems(validated), ...unused])
        : validated.flatMap(({ problems }) => problems),
    files: [...new Set(validated.flatMap(({ files }) => files))],
    zones: read.size,
    records: [...read.values()].reduce((sum, { zone }) => sum + zone.records.length, 0),
    templates: Math.max(0, ...validated.map(({ templates }) => templates)),
  };
}

/** The validation of the zones of a target. */
interface ViewValidation extends Pick<Validation, "problems" | "files" | "templates"> {
  readonly read: readonly ZoneOfFile[];
}

interface TargetValidation extends ViewValidation {
  readonly name: string;
}

async function validateView(
  project: Project,
  names: readonly string[],
  { against, note }: ValidatingOptions,
): Promise<ViewValidation> {
  const { templates, others } = splitTemplates(project, names);
  const alone = templates.map((name) => project.templates.readAlone(name));
  const ofTemplates = alone.flatMap(({ problems }) => problems);
  const files = alone.map(({ file }) => file);
  if (templates.length > 0 && others.length === 0)
    return { problems: ofTemplates, files, templates: templates.length, read: [] };
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
    templates: templates.length,
    read: read.zones,
  };
}

/** Problems of `acks.yaml` that need no plan. The guards are loaded only for it. */
async function acksProblems(project: Project): Promise<readonly Problem[]> {
  if (statIfPresent(resolve(project.cwd, dirname(project.file), acksFile)) === undefined) return [];
  const { acksOf, findAcksWithoutTarget } = await import("../project/project-acks.ts");
  const { expiredProblem } = await import("../../planner/blocks/acks.ts");
  try {
    const expired = acksOf(project).filter(({ until }) => until < project.today);
    return [...expired.map(expiredProblem), ...findAcksWithoutTarget(project)];
  } catch (error) {
    if (error instanceof ProblemError) return error.problems;
    throw error;
  }
}
