import { join, resolve } from "node:path";
import { count, plain } from "../../diagnostics/plain.ts";
import { hasErrors, type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import { checkZone } from "../../dns/check.ts";
import { type Name, type NameKey, nameKey, root } from "../../dns/name.ts";
import type { Zone } from "../../dns/zone.ts";
import { formats } from "../../formats/formats.ts";
import type { WriteOptions } from "../../formats/source.ts";
import { masterText } from "../../report/master-text.ts";
import { recordsText } from "../../report/records-text.ts";
import { readLive } from "../../targets/read-live.ts";
import type { TargetReads } from "../../targets/target.ts";
import { withTarget } from "../../workflow/connect.ts";
import { openProject, type Project, toName } from "../../workflow/project.ts";
import { schemaFor } from "../../workflow/schema-line.ts";
import { fileName, writeFiles } from "../../workflow/write-files.ts";
import { zoneFromLive } from "../../workflow/zone-from-live.ts";
import { readZones } from "../../workflow/zones.ts";
import { apiFlags, choice, defineCommand, flag, type Options, projectFlags, required, text } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { printProblems } from "../print-error.ts";
import type { Terminal } from "../terminal.ts";

const flags = {
  ...projectFlags,
  ...apiFlags,
  to: required(choice("<format>", ["bind", "yaml", "records"], "output form")),
  origin: text("<name>", "zone of a file whose name does not say it"),
  live: flag("zones as the API holds them, instead of the files"),
  rendered: flag("the service's own zone file (with --to bind)"),
  out: text("<folder>", "write one file per zone to this folder instead of standard output"),
};
type ExportOptions = Options<typeof flags>;

interface Exported {
  readonly name: Name;
  readonly text: string;
}

/** `zonewright export`: zones in another form, from files, from the API, or as the service renders them. */
export const command = defineCommand({
  example: `  zonewright export example.com --to bind    a BIND zone file on standard output
  zonewright export --live --to yaml --out exported
  zonewright export db.example.com --origin example.com --to records
`,
  arguments: { "[zones...]": "zones or files; all if none is given" },
  flags,
  run: (terminal, { zones }, options) => exportZones(terminal, zones, options),
});

async function exportZones(terminal: Terminal, args: readonly string[], options: ExportOptions): Promise<ExitCode> {
  const { rendered, live, to, origin, out } = options;
  if (rendered && to !== "bind")
    throw new ProblemError(problem("usage", "The service renders master files: use --rendered with --to bind."));
  if (origin !== undefined && (rendered || live || args.length === 0))
    throw new ProblemError(
      problem("usage", "--origin says which zone a file is: name the file, without --live and --rendered."),
    );
  const project = openProject(terminal, options);
  const exported = rendered
    ? await withTarget(terminal, project, options, ({ read }) => renderedZones(terminal, read, args))
    : written(project, options, await chosenZones(terminal, project, args, options));
  if (out !== undefined) save(terminal, options, out, exported);
  else if (to !== "records" && exported.length > 1)
    throw new ProblemError(
      problem("usage", `${exported.length} zones do not fit into one ${to} file: add --out FOLDER, or name one zone.`),
    );
  else terminal.print(exported.map(({ text }) => text).join(""));
  return exitCode.done;
}

async function chosenZones(
  terminal: Terminal,
  project: Project,
  args: readonly string[],
  options: ExportOptions,
): Promise<Zone[]> {
  if (options.live) {
    return withTarget(terminal, project, options, async ({ read }) => {
      const { zones } = await readLive(read, wanted(args), terminal);
      checkFound(args, [...zones.keys()]);
      return [...zones.values()].map((zone) => zoneFromLive(zone));
    });
  }
  const { zones, problems } = readZones(project, args, options.origin);
  const said = [...problems, ...zones.flatMap((zone) => zone.problems)];
  if (hasErrors(said)) throw new ProblemError(errorsOf(said));
  // What a name server would refuse is still exported, but not without a word.
  const refused = zones.flatMap(({ zone }) => checkZone(zone).filter(({ severity }) => severity === "error"));
  printProblems(terminal, [...said, ...refused]);
  return zones.map(({ zone }) => zone);
}

function written(
  { cwd, config: { nameservers } }: Project,
  options: ExportOptions,
  zones: readonly Zone[],
): Exported[] {
  if (options.to === "records" && options.out === undefined) return [{ name: root, text: recordsText(zones) }];
  const { out } = options;
  const schemaOf = ({ name }: Zone) => (out === undefined ? undefined : schemaFor(cwd, join(out, fileName(name))));
  const writeOptions = { nameservers: nameservers.length > 0 ? nameservers.map(toName) : undefined };
  return zones.map((zone) => ({
    name: zone.name,
    text:
      options.to === "records"
        ? recordsText([zone])
        : shown(options.to, zone, { ...writeOptions, schema: schemaOf(zone) }),
  }));
}

function shown(to: "bind" | "yaml", zone: Zone, options: WriteOptions): string {
  const text = formats[to].write(zone, options);
  return to === "bind" ? masterText(text) : text;
}

/** The service's own files. A zone that it does not render, such as a disabled one, is left out unless it was asked for. */
async function renderedZones(terminal: Terminal, read: TargetReads, args: readonly string[]): Promise<Exported[]> {
  const isWanted = wanted(args);
  const zones = (await read.listZones(terminal)).filter(({ name }) => isWanted(nameKey(name)));
  checkFound(
    args,
    zones.map(({ name }) => nameKey(name)),
  );
  const exported: Exported[] = [];
  for (const { id, name } of zones) {
    const text = await read.readZoneFile({ id, name }, terminal);
    const zone = name.slice(0, -1);
    if (text !== "") exported.push({ name, text: masterText(text) });
    else if (args.length === 0) terminal.log(`${plain(zone)} is left out: the service does not render it\n`);
    else {
      const fix = "Try again in a moment; a disabled zone is not rendered.";
      throw new ProblemError(problem("not-rendered", `the service has not rendered ${zone}`, { fix }));
    }
  }
  return exported;
}

function wanted(args: readonly string[]): (name: NameKey) => boolean {
  const names = new Set(args.map((arg) => nameKey(toName(arg))));
  return (name) => names.size === 0 || names.has(name);
}

function checkFound(args: readonly string[], found: readonly NameKey[]): void {
  const missing = args.find((arg) => !found.includes(nameKey(toName(arg))));
  if (missing !== undefined) throw notInAccount(missing);
}

/** The refusal of a zone that the API does not show. */
export function notInAccount(name: string): ProblemError {
  const fix = "It may not exist, or this token may not see it.";
  return new ProblemError(problem("zone-unknown", `the account has no zone ${name.replace(/\.$/, "")}`, { fix }));
}

function save(terminal: Terminal, { to }: ExportOptions, folder: string, exported: readonly Exported[]): void {
  const ending = { bind: ".zone", yaml: ".yaml", records: ".records" }[to];
  const files = exported.map(({ name, text }) => {
    const file = join(folder, `${fileName(name)}${ending}`);
    return { path: resolve(terminal.cwd, file), file, text };
  });
  writeFiles(files, "Name a folder that can be written with --out.");
  terminal.log(`${count(files.length, "file")} in ${folder}\n`);
}

function errorsOf(problems: readonly Problem[]): Problem[] {
  return problems.filter(({ severity }) => severity === "error");
}
