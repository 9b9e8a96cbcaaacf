import { count, plain } from "../../diagnostics/plain.ts";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { connect } from "../../workflow/connect.ts";
import {
  type ExportedZone,
  exportFiles,
  exportForms,
  exportLive,
  exportRendered,
  writeExported,
} from "../../workflow/export.ts";
import { openProject, type Project } from "../../workflow/project.ts";
import { apiFlags, choice, defineCommand, flag, type Options, projectFlags, required, text } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { printProblems } from "../print-error.ts";
import type { Terminal } from "../terminal.ts";

const flags = {
  ...projectFlags,
  ...apiFlags,
  to: required(choice("<format>", exportForms, "output form")),
  origin: text("<name>", "zone of a file that is not named after it"),
  live: flag("export the live zones of the API instead of the files"),
  rendered: flag("export the zone files that the service renders (with --to bind)"),
  out: text("<folder>", "write one file per zone to this folder instead of standard output"),
};
type ExportOptions = Options<typeof flags>;

/** `zonewright export`: zones in another form, from files, from the API, or as the service renders them. */
export const command = defineCommand({
  example: `  zonewright export example.com --to bind    a BIND zone file on standard output
  zonewright export --live --to yaml --out exported
  zonewright export db.example.com --origin example.com --to records
`,
  arguments: { "[zones...]": "zones or files; all if none is given" },
  flags,
  async run(terminal, { zones: names }, options) {
    const { rendered, live, to, origin, out } = options;
    if (rendered && to !== "bind")
      throw new ProblemError(problem("usage", "the service renders BIND zone files: use --rendered with --to bind."));
    if (origin !== undefined && (rendered || live || names.length === 0))
      throw new ProblemError(
        problem("usage", "--origin sets the zone of a file: name one file, without --live and --rendered."),
      );
    const project = openProject(terminal, options);
    const zones = await exportZones(terminal, project, names, options);
    if (out !== undefined) {
      await writeExported(project, zones, { to, out });
      terminal.log(`${count(zones.length, "file")} in ${plain(out)}\n`);
    } else if (zones.length > 1) {
      const fix = "add --out FOLDER, or name one zone.";
      throw new ProblemError(problem("usage", `${zones.length} zones cannot be written to one ${to} file: ${fix}`));
    } else terminal.print(zones.map(({ text }) => text).join(""));
    return exitCode.done;
  },
});

async function exportZones(
  terminal: Terminal,
  project: Project,
  names: readonly string[],
  options: ExportOptions,
): Promise<readonly ExportedZone[]> {
  const { signal } = terminal;
  if (options.rendered) {
    const { zones, skipped } = await connect(terminal, project, options, ({ target }) =>
      exportRendered(target, names, terminal),
    );
    for (const name of skipped)
      terminal.log(`${plain(name.slice(0, -1))} is skipped: the service does not render it\n`);
    return zones;
  }
  if (options.live)
    return connect(terminal, project, options, ({ target }) =>
      exportLive(project, target, names, { ...options, signal }),
    );
  const { zones, problems } = await exportFiles(project, names, options);
  printProblems(terminal, problems);
  return zones;
}
