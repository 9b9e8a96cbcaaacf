import { runsText, runText } from "../../report/runs-text.ts";
import { openProject } from "../../workflow/project.ts";
import { readJournal, readRuns } from "../../workflow/runs.ts";
import { defineCommand, projectFlags } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { logUnfinishedRun } from "../log-unfinished-run.ts";
import { printText } from "../terminal.ts";

export const command = defineCommand({
  example: `  zonewright runs                            list past runs
  zonewright runs 20260304T120000            show what happened in one
  zonewright runs last
`,
  arguments: { "[run]": "id of a run, its beginning, or last; lists all if none is given" },
  flags: projectFlags,
  async run(terminal, { run }, options) {
    const project = openProject(terminal, options);
    await logUnfinishedRun(terminal, project);
    const { printStyle } = terminal;
    printText(
      terminal,
      run === undefined ? runsText(readRuns(project), printStyle) : runText(readJournal(project, run), printStyle),
    );
    return exitCode.done;
  },
});
