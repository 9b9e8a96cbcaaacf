import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { listRuns, readRun } from "../../executor/runs.ts";
import { runsText, runText } from "../../report/runs-text.ts";
import { openProject, type ProjectOptions, stateFolder } from "../../workflow/project.ts";
import type { Context } from "../context.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";

/** `zonewright runs`: what was applied from here, and with an id what happened in it. */
export function runs(context: Context, id: string | undefined, options: ProjectOptions): ExitCode {
  const folder = stateFolder(openProject(context, options));
  if (id === undefined) context.out(runsText(listRuns(folder), context.outStyle));
  else context.out(runText(readRun(folder, wholeId(folder, id)), context.outStyle));
  return exitCode.done;
}

/** The id of the one run that begins so. */
export function wholeId(folder: string, id: string): string {
  const found = listRuns(folder).filter((run) => run.id.startsWith(id));
  const exact = found.find((run) => run.id === id) ?? (found.length === 1 ? found[0] : undefined);
  if (exact) return exact.id;
  const what = found.length > 1 ? `${found.length} runs begin with ${id}` : `there is no run ${id}`;
  throw new ProblemError(problem("run-unknown", what, { fix: "zonewright runs lists them." }));
}
