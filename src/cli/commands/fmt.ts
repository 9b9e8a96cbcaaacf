import { escapeControl } from "../../diagnostics/escape.ts";
import { count } from "../../diagnostics/quantities.ts";
import { colorPatch, patchText } from "../../report/format/patch.ts";
import { type FormattedFile, formatZones, writeFormatted } from "../../workflow/export/fmt.ts";
import { formatNames } from "../../workflow/project/files.ts";
import { openProject } from "../../workflow/project/project.ts";
import { choice, defineCommand, flag, projectFlags } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { printProblems } from "../print-error.ts";

export const fmtCommand = defineCommand({
  example: `  zonewright fmt                             every zone file of the project
  zonewright fmt --sort                      records in canonical order
  zonewright fmt --check                     exit with 3 on a difference
  zonewright fmt zones/example.com.zone --to yaml
`,
  arguments: { "[zones...]": "zones or files; all if none is given" },
  flags: {
    ...projectFlags,
    check: flag("show the changes without writing them, and exit with 3 if there are any"),
    sort: flag("sort the records in canonical order"),
    to: choice("<format>", formatNames, "convert to this format"),
  },
  interruption: "no file was written",
  async run(terminal, { zones }, options) {
    const project = openProject(terminal, options);
    const { changes, problems, files } = await formatZones(project, zones, options);
    if (problems.length > 0) printProblems(terminal, problems);
    if (options.check) {
      for (const { file, newFile, before, after } of changes) {
        const patch = patchText(file, newFile, Buffer.from(before).toString(), Buffer.from(after).toString());
        terminal.print(colorPatch(patch, terminal.printStyle));
      }
      terminal.log(`${count(changes.length, "file")} would change\n`);
      return changes.length > 0 ? exitCode.invalid : exitCode.done;
    }
    await writeFormatted(project, changes);
    for (const change of changes) if (!options.quiet || change.lost.length > 0) terminal.log(`${changeText(change)}\n`);
    terminal.log(`${count(changes.length, "file")} written, ${files - changes.length} left as they were\n`);
    return exitCode.done;
  },
});

function changeText({ file, newFile, lost }: FormattedFile): string {
  if (newFile === file) return `wrote ${escapeControl(file)}`;
  if (lost.length === 0) return `wrote ${escapeControl(newFile)}, removed ${escapeControl(file)}`;
  const lines = `${lost.length === 1 ? "line" : "lines"} ${lost.join(", ")}`;
  return `wrote ${escapeControl(newFile)}; ${escapeControl(file)} is kept: ${lines} could not be converted fully. Compare, then remove it`;
}
