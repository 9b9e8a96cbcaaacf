import { advise, type RunStep } from "../../diagnostics/advice.ts";
import { problemError } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import type { JournalLine } from "../../executor/journal/journal-line.ts";
import { type About, listRuns, type Run, readRun } from "../../executor/journal/runs.ts";
import type { Project } from "../project/project.ts";
import { stateFolder } from "../project/state-folder.ts";
import { targetViews } from "../project/targets.ts";
import { requireProject } from "../zones/zones.ts";

/** The runs of a project, oldest first. */
export function readRuns(project: Project): Run[] {
  return listRuns(stateFolder(project));
}

/**
 * The runs of a project, oldest first, for a command that shows them. If there are none, it checks that the folder is a
 * project, because the command may run in the wrong folder.
 * @throws {ProblemError} `project-missing`
 */
export function listProjectRuns(project: Project): Run[] {
  const runs = readRuns(project);
  if (runs.length === 0) requireProject(project);
  return runs;
}

/** The runs of all selected targets, oldest first. @throws {ProblemError} `project-missing` */
export function listTargetRuns(project: Project): Run[] {
  const runs = targetViews(project).flatMap(readRuns);
  if (runs.length === 0) requireProject(project);
  return runs.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * The part of the project for the target of a run. `last` is the newest run of all selected targets.
 * @throws {ProblemError} `run-unknown`, `project-missing`
 */
export function viewOfRun(project: Project, beginning: string): Project {
  const [first, ...others] = targetViews(project);
  if (first && others.length === 0) return first;
  const runs = listTargetRuns(project);
  const exact = beginning === "last" ? runs.at(-1) : runs.find(({ id }) => id === beginning);
  const found = exact ? [exact] : runs.filter((run) => run.id.startsWith(beginning));
  const names = new Set(found.map(({ target }) => target));
  const view = targetViews(project).find(({ view }) => names.size === 1 && view && names.has(view.name));
  if (view) return view;
  const what =
    names.size > 1 ? `runs of ${names.size} targets begin with "${beginning}"` : `run "${beginning}" does not exist`;
  throw problemError("run-unknown", what, { fix: advise`Run ${{ run: "runs" }} to list the runs.` });
}

/** The newest runs of the other selected targets, which `undo last` does not revert, unless they are undos. */
export function lastRunsOfOthers(project: Project, { view }: Project): readonly Run[] {
  const last = targetViews(project).flatMap((other) =>
    other.view?.name === view?.name ? [] : (readRuns(other).at(-1) ?? []),
  );
  return last.filter(({ undoes }) => undoes === undefined);
}

/**
 * A run as the command that continues it depends on it. `leaving`: the domains of it that left the account.
 * `isChanged`: someone else changed data that it had to write.
 */
interface RunToContinue extends Pick<About, "target" | "undoes" | "approvedPlans"> {
  readonly leaving?: "some" | "all" | undefined;
  readonly isChanged?: boolean;
}

/**
 * The command that continues a run; `plans` are the arguments of apply if the run had plan files: nothing unreviewed is
 * applied. A domain that left the account needs a new plan, and so do changes of others.
 */
export function continueCommand(
  { target, undoes, approvedPlans, leaving, isChanged = false }: RunToContinue,
  plans: readonly string[] = ["FILE"],
): RunStep {
  const ofTarget = target === undefined ? {} : { target };
  if ((leaving || isChanged) && approvedPlans) return { run: "plan", with: { out: "FILE", ...ofTarget } };
  if (leaving === "all" || (isChanged && undoes === undefined)) return { run: "plan", with: ofTarget };
  if (undoes !== undefined) return { run: "undo", args: [undoes] };
  if (approvedPlans) return { run: "apply", args: plans };
  return { run: "apply", with: { resume: true, ...ofTarget } };
}

export function zonesToLeave({ gone, zones }: Run): RunToContinue["leaving"] {
  if (gone.size === 0) return undefined;
  return gone.size === zones.length ? "all" : "some";
}

/** @throws {ProblemError} `run-unknown` */
export function readRunJournal(project: Project, run: string): JournalLine[] {
  return readRun(stateFolder(project), findRun(project, run));
}

/**
 * Returns the id of the only run that begins with `beginning`; `last` is the newest run.
 * @throws {ProblemError} `run-unknown`, `project-missing`
 */
export function findRun(project: Project, beginning: string): string {
  const runs = listProjectRuns(project);
  if (beginning === "last") {
    const last = runs.at(-1);
    if (last) return last.id;
    const fix = advise`Runs are stored beside the config file; use ${{ set: "config" }} for another project.`;
    throw problemError("run-unknown", "this project has no runs yet", { fix });
  }
  const found = runs.filter((run) => run.id.startsWith(beginning));
  const exact = found.find((run) => run.id === beginning) ?? (found.length === 1 ? found[0] : undefined);
  if (exact) return exact.id;
  const what =
    found.length > 1 ? `${found.length} runs begin with "${beginning}"` : `run "${beginning}" does not exist`;
  throw problemError("run-unknown", what, { fix: advise`Run ${{ run: "runs" }} to list the runs.` });
}

/** The writes of a run that took effect, and those without a known outcome: `2 of 5 writes, 1 without a reply`. */
export function writesText({ written, writes, open }: Pick<Run, "written" | "writes" | "open">): string {
  return `${written} of ${count(writes, "write")}${open > 0 ? `, ${open} without a reply` : ""}`;
}
