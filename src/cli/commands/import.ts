import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { count, plain } from "../../diagnostics/plain.ts";
import { hasErrors, ProblemError, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import type { LiveZone } from "../../dns/desired-live.ts";
import { isSameName, nameKey } from "../../dns/name.ts";
import type { SettingName, ZoneSettings } from "../../dns/zone.ts";
import { fileTrouble, type ReadZone } from "../../formats/files.ts";
import { formats } from "../../formats/formats.ts";
import { isInSync, planZone } from "../../planner/plan.ts";
import { patchText } from "../../report/patch.ts";
import { accept } from "../../targets/api/accept.ts";
import { readLive } from "../../targets/read-live.ts";
import { withTarget } from "../../workflow/connect.ts";
import { intoFile } from "../../workflow/into-file.ts";
import { openProject, type Project, toName } from "../../workflow/project.ts";
import { schemaFor } from "../../workflow/schema-line.ts";
import { fileName, writeFiles } from "../../workflow/write-files.ts";
import { asFile, zoneFromLive } from "../../workflow/zone-from-live.ts";
import { existingZones } from "../../workflow/zones.ts";
import { apiFlags, type CommandGroup, choice, defineCommand, flag, type Options, projectFlags } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { printProblems } from "../print-error.ts";
import type { Terminal } from "../terminal.ts";
import { notInAccount } from "./export.ts";

const flags = {
  ...projectFlags,
  ...apiFlags,
  to: choice("<format>", ["bind", "yaml"], "file format", "yaml"),
  yes: flag("overwrite differing files without asking"),
};
type ImportApiOptions = Options<typeof flags>;

type Outcome = "written" | "same" | "kept";

/** `zonewright import api`: the live zones of the account as zone files. A file that means the same is not touched. */
const api = defineCommand({
  example: `  zonewright import api                      all zones as zones/*.yaml
  zonewright import api example.com --to bind
`,
  arguments: { "[zones...]": "zones; all if none is given" },
  flags,
  run: (terminal, { zones }, options) => importApi(terminal, zones, options),
});

export const command: CommandGroup = {
  commands: { api: ["write the live zones of the account as zone files", api] },
};

async function importApi(terminal: Terminal, args: readonly string[], options: ImportApiOptions): Promise<ExitCode> {
  const project = openProject(terminal, options);
  const existing = existingZones(project);
  const names = new Set(args.map((arg) => nameKey(toName(arg))));
  const { zones } = await withTarget(terminal, project, options, ({ read }) =>
    readLive(read, (name) => names.size === 0 || names.has(name), terminal),
  );
  for (const name of names) if (!zones.has(name)) throw notInAccount(name);
  const outcome = { written: 0, same: 0, kept: 0 };
  for (const live of zones.values()) {
    const before = existing.find(({ zone }) => isSameName(zone.name, live.name));
    outcome[await orKept(terminal, () => update(terminal, project, options, live, before))]++;
  }
  terminal.log(
    `${count(outcome.written, "zone")} written, ${outcome.same} the same, ${outcome.kept} kept as they were\n`,
  );
  return outcome.kept > 0 ? exitCode.partly : exitCode.done;
}

/** Changes that zonewright cannot write into a file, so that a person has to edit it. */
const byHand: readonly ProblemId[] = [
  "rewrite-format",
  "rewrite-generate",
  "rewrite-include",
  "rewrite-inexact",
  "rewrite-name",
  "rewrite-ttl",
];

/** A file that a person must edit is kept, and the others go on. */
async function orKept(terminal: Terminal, update: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await update();
  } catch (error) {
    if (!(error instanceof ProblemError) || !error.problems.some(({ id }) => byHand.includes(id))) throw error;
    printProblems(terminal, error.problems);
    return "kept";
  }
}

async function update(
  terminal: Terminal,
  { config, folders, defaults }: Project,
  options: ImportApiOptions,
  live: LiveZone,
  existing: ReadZone | undefined,
): Promise<Outcome> {
  const zone = asFile(zoneFromLive(live, defaults), (summary) => terminal.log(`note  ${plain(summary)}\n`));
  if (existing && saysTheSame(existing, live, zone.settings)) return "same";
  if (existing?.format !== undefined) {
    terminal.log(
      `${plain(existing.file)} is kept: it differs from the live zone, and ${existing.format} files are only read\n`,
    );
    return "kept";
  }
  const newFile = join(folders[0]?.file ?? "", `${fileName(live.name)}${formats[options.to].endings[0]}`);
  const file = existing?.file ?? newFile;
  const path = resolve(terminal.cwd, file);
  const nameservers = config.nameservers.length > 0 ? config.nameservers.map(toName) : undefined;
  const merged = existing && intoFile(existing, live, zone, defaults);
  const text = merged
    ? Buffer.from(merged.bytes).toString()
    : formats[options.to].write(zone, { nameservers, schema: schemaFor(terminal.cwd, file) });
  if (merged && merged.said.length > 0) printProblems(terminal, merged.said);
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) {
    const before = readText(path, file);
    if (before === text) return "same";
    terminal.log(patchText(`git/${file}`, `live/${file}`, before, text));
    if (!options.yes && !(await isWanted(terminal, file))) return "kept";
  }
  writeFiles([{ path, file, text }], "Make the folder writable, or name another with --zones.");
  terminal.log(`wrote ${plain(file)}\n`);
  return "written";
}

function readText(path: string, file: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new ProblemError(
      problem("file-read", `${file} cannot be read: ${fileTrouble(error)}`, {
        fix: "Make it readable, or move it away.",
      }),
    );
  }
}

/** Would a plan find nothing to do, and does the file say all that is set? Then its comments and order stay. */
function saysTheSame({ zone, problems }: ReadZone, live: LiveZone, settings: ZoneSettings): boolean {
  const accepted = accept(zone);
  if (hasErrors([...problems, ...accepted.problems])) return false;
  if (Object.keys(settings).some((name) => zone.settings[name as SettingName] === undefined)) return false;
  return isInSync(planZone(accepted.desired, live));
}

async function isWanted(terminal: Terminal, file: string): Promise<boolean> {
  if (!terminal.ask) {
    terminal.log(`${plain(file)} is kept: it differs from the live zone; --yes overwrites it\n`);
    return false;
  }
  const answer = await terminal.ask(`Overwrite ${plain(file)}? [y/N] `);
  terminal.signal.throwIfAborted();
  return /^y(?:es)?$/i.test(answer.trim());
}
