import { jsonText } from "../../report/format/json-text.ts";
import { importStatusText } from "../../report/import/status.ts";
import { readImportProgress } from "../../workflow/import/status.ts";
import { openProject } from "../../workflow/project/project.ts";
import { choice, defineCommand, projectFlags } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { printText } from "../terminal.ts";

export const status = defineCommand({
  example: `  zonewright import status                   how far the last import came
`,
  flags: {
    ...projectFlags,
    report: choice("<format>", ["text", "json"], "output format", "text"),
  },
  run(terminal, _, options) {
    const progress = readImportProgress(terminal, openProject(terminal, options));
    if (options.report === "json") terminal.print(jsonText(progress ?? null));
    else printText(terminal, importStatusText(progress, terminal.printStyle));
    return exitCode.done;
  },
});
