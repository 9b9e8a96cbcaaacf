import { count, plain } from "../../diagnostics/plain.ts";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { nameKey } from "../../dns/name.ts";
import { listRuns, readRun } from "../../executor/runs.ts";
import { undoing } from "../../executor/undo.ts";
import { besideTurning, plan as makePlan } from "../../planner/plan.ts";
import { readLive } from "../../targets/read-live.ts";
import { withTarget } from "../../workflow/connect.ts";
import { reported } from "../../workflow/plan.ts";
import { openProject, stateFolder } from "../../workflow/project.ts";
import { settleLastRun } from "../../workflow/run-plan.ts";
import { findRun } from "../../workflow/runs.ts";
import { allow, apiFlags, applyFlags, defineCommand, type Options, projectFlags } from "../command.ts";
import { confirmAndRun, sayUnanswered } from "../confirm-and-run.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";

const flags = { ...projectFlags, ...apiFlags, allow, ...applyFlags };

/** `zonewright undo`: the inverse of a run as an ordinary plan, of what still is as the run left it. */
export const command = defineCommand({
  example: `  zonewright runs                            list past runs
  zonewright undo 20260304T120000            show the plan that reverts it; ask
`,
  arguments: { "<run>": "id of a run, or its beginning" },
  flags,
  run: (terminal, { run }, options) => undo(terminal, run, options),
});

async function undo(terminal: Terminal, given: string, options: Options<typeof flags>): Promise<ExitCode> {
  const project = openProject(terminal, options);
  const folder = stateFolder(project);
  const id = findRun(project, given);
  const entries = readRun(folder, id);
  const begin = entries.find((entry) => entry.kind === "begin");
  return withTarget(terminal, project, options, async (target, api) => {
    if (begin?.api !== undefined && begin.api !== api)
      throw new ProblemError(
        problem("run-elsewhere", `run ${id} was made at ${begin.api}, not at ${api}`, {
          fix: "Set the base URL to that one.",
        }),
      );
    await settleLastRun(terminal, target, project, sayUnanswered(terminal));
    const names = new Set(begin?.zones.map(({ zone }) => nameKey(zone)));
    const { read, capabilities } = target;
    const requests = read.countRequests();
    const live = await readLive(
      read,
      (name) => names.has(name),
      terminal,
      (zones) => besideTurning(undoing(entries, zones, capabilities).desired, zones),
    );
    const { desired, left } = undoing(entries, live.zones, capabilities);
    const again = listRuns(folder).findLast(({ undoes, written }) => undoes === id && written > 0);
    const before = again ? [`run ${again.id} undid it: ${again.written} of ${count(again.writes, "write")}`] : [];
    const summaries = [...before, ...left];
    const plan = makePlan(desired, live.zones, [], [], live);
    if (plan.zones.length === 0) {
      const say = options.jsonl ? terminal.log : terminal.print;
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
    return confirmAndRun(terminal, target, report, { project, options, about: { api, undoes: id } });
  });
}
