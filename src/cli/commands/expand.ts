import { exportFiles } from "../../workflow/export/export.ts";
import { formatNames } from "../../workflow/project/files.ts";
import { openProject } from "../../workflow/project/project.ts";
import { choice, defineCommand, projectFlags } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { printProblems } from "../print-error.ts";

/** `zonewright expand`: a zone file with its templates and the defaults of the project written out. */
export const expandCommand = defineCommand({
  example: `  zonewright expand example.com
  zonewright expand zones/example.com.yaml --to bind
`,
  arguments: { "<zone>": "zone or file" },
  flags: { ...projectFlags, to: choice("<format>", formatNames, "output form", "yaml") },
  async run(terminal, { zone }, options) {
    const { zones, problems } = await exportFiles(openProject(terminal, options), [zone], options);
    printProblems(terminal, problems);
    terminal.print(zones.map(({ text }) => text).join(""));
    return exitCode.done;
  },
});
