import { journalText, runJson, runsJson, runsText } from "../../report/apply/runs-text.ts";
import { jsonText } from "../../report/format/json-text.ts";
import { findRun, listTargetRuns, readRunJournal, readRuns, viewOfRun } from "../../workflow/apply/runs.ts";
import { openProject } from "../../workflow/project/project.ts";
import { shownTarget, targetViews } from "../../workflow/project/targets.ts";
import { apiFlags, choice, defineCommand, projectFlags } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { logUnfinishedRun } from "../log-unfinished-run.ts";
import { printText } from "../terminal.ts";

export const runsCommand = defineCommand({
  example: `  zonewright runs                            list past runs
  zonewright runs 20260304T120000            show what happened in one
  zonewright runs last
  zonewright runs last --report json         the same for programs
`,
  arguments: { "[run]": "id of a run, its beginning, or last; lists all if none is given" },
  flags: {
    ...projectFlags,
    target: apiFlags.target,
    report: choice("<format>", ["text", "json"], "output format", "text"),
  },
  async run(terminal, { run }, options) {
    const whole = openProject(terminal, options);
    for (const view of targetViews(whole)) await logUnfinishedRun(terminal, view);
    const { printStyle } = terminal;
    const isJson = options.report === "json";
    if (run === undefined) {
      const runs = listTargetRuns(whole);
      if (isJson) terminal.print(jsonText(runsJson(runs)));
      else printText(terminal, runsText(runs, printStyle));
      return exitCode.done;
    }
    const project = viewOfRun(whole, run);
    const id = findRun(project, run);
    const entries = readRunJournal(project, id);
    const about = readRuns(project).find((one) => one.id === id);
    if (isJson) terminal.print(jsonText(about ? runJson(about, entries) : {}));
    else {
      const target = shownTarget(project);
      const { targetHeading } = await import("../targets.ts"); // most projects have one
      const heading = target === undefined ? "" : targetHeading(terminal, target);
      printText(terminal, `${heading}${journalText(entries, printStyle)}`);
    }
    return exitCode.done;
  },
});
