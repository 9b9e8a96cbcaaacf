import { escapeControl } from "../../diagnostics/escape.ts";
import { usageError } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { withoutDot } from "../../dns/name/name.ts";
import { connect } from "../../workflow/connect/connect.ts";
import {
  type Exported,
  exportForms,
  exportLive,
  exportRendered,
  exportWithNodes,
  writeExported,
} from "../../workflow/export/export.ts";
import { exportPrimaries } from "../../workflow/export/primaries.ts";
import { exportSecondaries, type SecondaryForm, secondaryForms } from "../../workflow/export/secondaries.ts";
import { writeFiles } from "../../workflow/project/files.ts";
import { openProject, type Project } from "../../workflow/project/project.ts";
import { forTarget, isOfSeveral } from "../../workflow/project/targets.ts";
import { divideNames } from "../../workflow/zones/divide-names.ts";
import { askForAddresses } from "../../workflow/zones/node-addresses.ts";
import {
  apiFlags,
  choice,
  defineCommand,
  flag,
  list,
  type Options,
  projectFlags,
  requireFlag,
  text,
} from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { printProblems } from "../print-error.ts";
import { refuseSharedOptions, refuseStream, requirePattern, runOnTargets } from "../targets.ts";
import type { Terminal } from "../terminal.ts";

const flags = {
  ...projectFlags,
  ...apiFlags,
  to: requireFlag(choice("<format>", [...exportForms, ...secondaryForms], "output form")),
  origin: text("<name>", "zone of a file that is not named after it"),
  live: flag("export the live zones of the API or target instead of the files"),
  rendered: flag("export the zone files that the service renders"),
  out: text("<folder>", "write one file per zone to this folder instead of standard output"),
  primary: list(
    "<server>",
    "server that the secondaries of a named.conf, knot.conf or nsd.conf transfer from (HOST or HOST:PORT), instead of the name servers in the config; repeatable",
  ),
  role: choice(
    "<server>",
    ["secondary", "primary"],
    "server that a named.conf, knot.conf or nsd.conf is for; primary: the one that loads the zone files of a target",
    "secondary",
  ),
  secondary: list(
    "<server>",
    "with --role primary, server that may transfer the zones and gets NOTIFY (HOST or HOST:PORT); repeatable",
  ),
  tsigName: text("<name>", "name of the TSIG key of the secondaries; its secret is in a file of their own"),
};
type ExportOptions = Options<typeof flags>;

/** `zonewright export`: zones in another form, from files, live, or as the service renders them. */
export const exportCommand = defineCommand({
  example: `  zonewright export example.com --to bind    a BIND zone file on standard output
  zonewright export --live --to yaml --out exported
  zonewright export --to octodns --out config
  zonewright export db.example.com --origin example.com --to records
  zonewright export --to named.conf --primary 192.0.2.53 --tsig-name transfer
  zonewright export --to named.conf --role primary --target fleet
`,
  arguments: { "[zones...]": "zones or files; all if none is given" },
  flags,
  async run(terminal, { zones: names }, options) {
    const { rendered, live, origin, out } = options;
    if (rendered && live) throw usageError("--live and --rendered name different things to export: use one of them.");
    if (origin !== undefined && (rendered || live || names.length === 0))
      throw usageError("--origin sets the zone of a file: name one file, without --live and --rendered.");
    const project = openProject(terminal, options);
    // Files are exported as they are, whichever targets they have.
    if (!(live || rendered) || !isOfSeveral(project)) return exportOn(terminal, project, names, options);
    refuseSharedOptions(project, options, ["apiUrl", "tokenFile"]);
    if (out === undefined) refuseStream(project, "--out FOLDER/{target}");
    requirePattern(project, options, ["out"]);
    const parts = await divideNames(project, names);
    return runOnTargets(terminal, parts, ({ view, names }) => exportOn(terminal, view, names, options), {
      isDataInFiles: true,
    });
  },
});

/** Exports the zones of the only target, or files. */
async function exportOn(
  terminal: Terminal,
  project: Project,
  names: readonly string[],
  given: ExportOptions,
): Promise<ExitCode> {
  const out = forTarget(given.out, project);
  const options = { ...given, ...(out !== undefined && { out }) };
  const { to, primary, secondary, tsigName, role } = options;
  if (isSecondaryForm(to)) return listZones(terminal, project, names, { ...options, to });
  if ([primary, secondary, tsigName].some((one) => one !== undefined) || role !== "secondary")
    throw usageError(`--role, --primary, --secondary and --tsig-name belong to --to ${secondaryForms.join(", ")}.`);
  const { zones, problems } = await exportZones(terminal, project, names, { ...options, to });
  if (out === undefined && zones.length > 1) {
    const fix = "add --out FOLDER, or name one zone.";
    throw usageError(`${zones.length} zones cannot be written to one ${to} file: ${fix}`);
  }
  printProblems(terminal, problems);
  if (out !== undefined) {
    await writeExported(project, zones, { to, out });
    terminal.log(`${count(zones.length, "file")} in ${escapeControl(out)}\n`);
  } else terminal.print(zones.map(({ text }) => text).join(""));
  const lost = problems.filter(({ id }) => id === "export-lost").length;
  if (lost === 0) return exitCode.done;
  terminal.log(
    `not complete: ${to} cannot contain what ${count(lost, "warning")} above ${lost === 1 ? "names" : "name"}\n`,
  );
  return exitCode.partly;
}

function isSecondaryForm(form: ExportOptions["to"]): form is SecondaryForm {
  return secondaryForms.some((name) => name === form);
}

async function listZones(
  terminal: Terminal,
  project: Project,
  names: readonly string[],
  options: ExportOptions & { readonly to: SecondaryForm },
): Promise<ExitCode> {
  const { rendered, live, to, out, primary = [], secondary = [], role, tsigName: key } = options;
  if (role === "primary") {
    if (live || rendered || primary.length > 0 || options.origin !== undefined)
      throw usageError(
        "--role primary lists the zone files of a target: use it without --live, --rendered, --origin and --primary.",
      );
    const { text, zones, unlisted, unnamed } = await exportPrimaries(project, names, {
      to,
      secondaries: secondary,
      key,
    });
    for (const file of unnamed)
      terminal.log(
        `skipped ${escapeControl(file)}: ${to} cannot name this file. List its zone by hand, through a link with another name.\n`,
      );
    for (const name of unlisted)
      terminal.log(
        `not listed: ${escapeControl(withoutDot(name))}, which is in the folder and not in the project; list it by hand if the server is to keep it\n`,
      );
    return writeList(terminal, project, { to, out, text, zones });
  }
  if (secondary.length > 0) throw usageError("--secondary belongs to --role primary.");
  if (rendered) throw usageError(`--to ${to} lists zones without their records: use it without --rendered.`);
  const request = { to, primaries: primary, key, origin: options.origin };
  const { text, zones, disabled } = live
    ? await connect(terminal, project, options, ({ target }) => exportSecondaries(project, names, request, target))
    : await exportSecondaries(project, names, request);
  for (const name of disabled) terminal.log(`skipped ${escapeControl(name.slice(0, -1))}: it is disabled\n`);
  return writeList(terminal, project, { to, out, text, zones });
}

interface ZoneList {
  readonly to: SecondaryForm;
  readonly out: string | undefined;
  readonly text: string;
  readonly zones: readonly unknown[];
}

async function writeList(terminal: Terminal, project: Project, { to, out, text, zones }: ZoneList): Promise<ExitCode> {
  if (out === undefined) terminal.print(text);
  else {
    await writeFiles(project, [{ file: `${out}/${to}`, text }], "Name a writable folder with --out.");
    terminal.log(`${count(zones.length, "zone")} in ${escapeControl(`${out}/${to}`)}\n`);
  }
  return exitCode.done;
}

async function exportZones(
  terminal: Terminal,
  project: Project,
  names: readonly string[],
  options: ExportOptions & { readonly to: Exclude<ExportOptions["to"], SecondaryForm> },
): Promise<Exported> {
  const { signal } = terminal;
  if (options.rendered) {
    const { skipped, ...exported } = await connect(terminal, project, options, ({ target }) =>
      exportRendered(project, target, names, { ...options, signal }),
    );
    for (const name of skipped)
      terminal.log(`${escapeControl(name.slice(0, -1))} is skipped: the service does not render it\n`);
    return exported;
  }
  if (options.live)
    return connect(terminal, project, options, ({ target }) =>
      exportLive(project, target, names, { ...options, signal }),
    );
  return exportWithNodes(project, names, options, (zones) => askForAddresses(terminal, project, options, zones));
}
