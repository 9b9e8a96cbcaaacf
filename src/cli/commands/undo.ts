import { adviceText } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { lastRunsOfOthers, viewOfRun } from "../../workflow/apply/runs.ts";
import { undo } from "../../workflow/apply/undo.ts";
import { connectToWrite } from "../../workflow/connect/connect.ts";
import { openProject } from "../../workflow/project/project.ts";
import { shownTarget } from "../../workflow/project/targets.ts";
import { ApplyDisplay, printApplied } from "../apply-display.ts";
import { allow, apiFlags, applyFlags, defineCommand, projectFlags, viewNotes } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { logUnfinishedRun } from "../log-unfinished-run.ts";

const flags = { ...projectFlags, ...apiFlags, allow, ...applyFlags };

/** `zonewright undo`: applies the inverse of a run as an ordinary plan; later changes are kept. */
export const undoCommand = defineCommand({
  example: `  zonewright runs                            list past runs
  zonewright undo last                       revert the last run, after asking
  zonewright undo 20260304T120000
`,
  notes: viewNotes,
  arguments: { "<run>": "id of a run, its beginning, or last" },
  flags,
  async run(terminal, { run }, options) {
    const all = openProject(terminal, options);
    const project = viewOfRun(all, run);
    for (const { id, target = "" } of run === "last" ? lastRunsOfOthers(all, project) : [])
      terminal.log(`the last run on ${target} is ${id}: \`zonewright undo ${id}\` reverts it\n`);
    await logUnfinishedRun(terminal, project);
    return connectToWrite(terminal, project, options, async (connection) => {
      const display = new ApplyDisplay(terminal, options, { words: ["undo", run], flags, options });
      const target = shownTarget(project);
      const { targetHeading } = await import("../targets.ts"); // most projects have one
      if (target !== undefined) display.print(targetHeading(terminal, target));
      const request = { ...options, ...display.hooks, run };
      const report = await display.run(connection, () => undo(terminal, project, connection, request));
      if (report.state !== "nothing-left") return printApplied(terminal, report, options);
      const notes = report.notes.map((note) => `note  ${escapeControl(adviceText(note, "cli"))}\n`).join("");
      display.print(`${notes}nothing of the run is left to undo\n`);
      return exitCode.done;
    });
  },
});
