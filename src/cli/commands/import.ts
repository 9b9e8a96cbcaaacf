import { escapeControl } from "../../diagnostics/escape.ts";
import { count } from "../../diagnostics/quantities.ts";
import type { Name } from "../../dns/name/name.ts";
import { connect } from "../../workflow/connect/connect.ts";
import { type ImportedZone, importZones, writeImported } from "../../workflow/import/import.ts";
import { formatNames } from "../../workflow/project/files.ts";
import { openProject } from "../../workflow/project/project.ts";
import { excuseAcross } from "../../workflow/zones/excuses.ts";
import { apiFlags, type CommandGroup, choice, defineCommand, flag, projectFlags } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { printProblems } from "../print-error.ts";
import { askToOverwrite } from "../run-import.ts";
import type { Terminal } from "../terminal.ts";
import { axfr } from "./import-axfr.ts";
import { file } from "./import-file.ts";
import { remote } from "./import-remote.ts";
import { status } from "./import-status.ts";

const api = defineCommand({
  example: `  zonewright import api                      all zones as zones/*.yaml
  zonewright import api example.com --to bind
`,
  arguments: { "[zones...]": "zones; all if none is given" },
  flags: {
    ...projectFlags,
    ...apiFlags,
    to: choice("<format>", formatNames, "file format", "yaml"),
    yes: flag("overwrite differing files without asking"),
  },
  async run(terminal, { zones: names }, options) {
    const { to, yes = false } = options;
    const project = openProject(terminal, options);
    const zones = await connect(terminal, project, options, ({ target }) =>
      importZones(project, target, names, { to, signal: terminal.signal }),
    );
    const counts = { same: 0, kept: 0 };
    const written: Name[] = [];
    for await (const zone of zones) {
      for (const note of zone.notes) terminal.log(`note  ${escapeControl(note)}\n`);
      if (zone.state === "secondary") continue;
      if (zone.state === "same") counts.same++;
      else if ((await isWanted(terminal, zone, yes)) && "text" in zone) {
        await writeImported(project, zone);
        if (!options.quiet) terminal.log(`wrote ${escapeControl(zone.file)}\n`);
        written.push(zone.name);
      } else counts.kept++;
    }
    for (const line of await excuseAcross(project, written)) terminal.log(`note  ${escapeControl(line)}\n`);
    terminal.log(`${count(written.length, "zone")} written, ${counts.same} unchanged, ${counts.kept} skipped\n`);
    return counts.kept > 0 ? exitCode.partly : exitCode.done;
  },
});

export const importCommand: CommandGroup = {
  commands: {
    api: ["write the live zones of the account as zone files", api],
    axfr: ["transfer zones from name servers into zone files", axfr],
    file: ["convert files of BIND, octoDNS and other tools into zone files", file],
    remote: ["have the service transfer zones from name servers, and write their files", remote],
    status: ["show how far the last import came, and what continues it", status],
  },
};

/** Shows the change of a file, and asks before one is overwritten. */
async function isWanted(
  terminal: Terminal,
  zone: Exclude<ImportedZone, { state: "same" | "secondary" }>,
  yes: boolean,
): Promise<boolean> {
  const file = escapeControl(zone.file);
  if (zone.state === "new") return true;
  if (zone.state === "read-only")
    terminal.log(
      `${file} is kept: it differs from the live zone, and zonewright does not write ${zone.format} files\n`,
    );
  else if (zone.problems.length > 0) printProblems(terminal, zone.problems);
  if (zone.state !== "changed") return false;
  return askToOverwrite(terminal, zone, { yes, from: "live" });
}
