import { count, plain } from "../../diagnostics/plain.ts";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { nameKey } from "../../dns/name.ts";
import { listRuns, readRun } from "../../executor/runs.ts";
import { undoing } from "../../executor/undo.ts";
import { besideTurning, plan as makePlan } from "../../planner/plan.ts";
import { readLive } from "../../targets/read-live.ts";
import type { ApiOptions } from "../../workflow/connect.ts";
import { type PlanningOptions, reported } from "../../workflow/plan.ts";
import { openProject, type ProjectOptions, stateFolder } from "../../workflow/project.ts";
import { settleLastRun } from "../../workflow/run-plan.ts";
import { type ConfirmOptions, confirmAndRun, sayUnanswered } from "../confirm-and-run.ts";
import type { Context } from "../context.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { withApi } from "../with-api.ts";
import { wholeId } from "./runs.ts";

/** `zonewright undo`: the inverse of a run as an ordinary plan, of what still is as the run left it. */
export async function undo(
  context: Context,
  given: string,
  options: ProjectOptions & ApiOptions & PlanningOptions & ConfirmOptions,
): Promise<ExitCode> {
  const project = openProject(context, options);
  const folder = stateFolder(project);
  const id = wholeId(folder, given);
  const entries = readRun(folder, id);
  const begin = entries.find((entry) => entry.kind === "begin");
  return withApi(context, project, options, async (target, api) => {
    if (begin?.api !== undefined && begin.api !== api)
      throw new ProblemError(
        problem("run-elsewhere", `run ${id} was made at ${begin.api}, not at ${api}`, {
          fix: "Set the base URL to that one.",
        }),
      );
    await settleLastRun(context, target, project, sayUnanswered(context));
    const names = new Set(begin?.zones.map(({ zone }) => nameKey(zone)));
    const { read, capabilities } = target;
    const requests = read.countRequests();
    const live = await readLive(
      read,
      (name) => names.has(name),
      context,
      (zones) => besideTurning(undoing(entries, zones, capabilities).desired, zones),
    );
    const { desired, left } = undoing(entries, live.zones, capabilities);
    const again = listRuns(folder).findLast(({ undoes, written }) => undoes === id && written > 0);
    const before = again ? [`run ${again.id} undid it: ${again.written} of ${count(again.writes, "write")}`] : [];
    const summaries = [...before, ...left];
    const plan = makePlan(desired, live.zones, [], [], live);
    if (plan.zones.length === 0) {
      const say = options.jsonl ? context.talk : context.out;
      say(`${summaries.map((summary) => `note  ${plain(summary)}\n`).join("")}nothing of the run is left to undo\n`);
      return exitCode.done;
    }
    const notes = summaries.map((summary) => problem("undo-left", summary));
    const observed = {
      desired,
      live: live.zones,
      others: live.others,
      beside: live.beside,
      deletions: [],
      notes,
      reads: read.countRequests() - requests,
      limit: read.announcedLimit(),
      capabilities,
    };
    const report = reported({ project, options, isAll: false }, plan, observed);
    return confirmAndRun(context, target, report, { project, options, about: { api, undoes: id } });
  });
}
