import { escapeControl } from "../diagnostics/escape.ts";
import { aroundSummary, type Problem } from "../diagnostics/problem.ts";
import { count } from "../diagnostics/quantities.ts";
import { shellWord } from "../diagnostics/shell-word.ts";
import type { Name } from "../dns/name/name.ts";
import { patchText } from "../report/format/patch.ts";
import {
  countImport,
  type ImportReport,
  importJson,
  importMarkdown,
  importText,
  noImports,
} from "../report/import/report.ts";
import { importSarif } from "../report/import/sarif.ts";
import type { Style } from "../report/text/palette.ts";
import type { Capabilities } from "../targets/target.ts";
import { ImportOverview } from "../workflow/import/overview.ts";
import { type FileChange, type ImportResult, type ImportSource, importInto } from "../workflow/import/zones.ts";
import { formatNames } from "../workflow/project/files.ts";
import type { Project } from "../workflow/project/project.ts";
import { folderInRepository } from "../workflow/project/schema-line.ts";
import { version } from "../workflow/project/version.ts";
import { excuseAcross } from "../workflow/zones/excuses.ts";
import { choice, flag, type Options, type projectFlags, text } from "./command.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { printProblems } from "./print-error.ts";
import { readNumber } from "./read-number.ts";
import { printText, type Terminal } from "./terminal.ts";

const words = ["text", "json", "markdown", "sarif"] as const;

interface ReportOptions {
  readonly isQuiet: boolean | undefined;
  readonly apex: Capabilities["apex"];
  /** The folder of the project in its repository. */
  readonly folder: string;
}

const reports: Readonly<Record<(typeof words)[number], (style: Style, options: ReportOptions) => ImportReport>> = {
  text: importText,
  json: () => importJson,
  markdown: () => importMarkdown,
  sarif: (_, { folder }) => importSarif(version(), folder),
};

/** The flags of every import with a ledger. */
export const importFlags = {
  to: choice("<format>", formatNames, "format of new files", "yaml"),
  yes: flag("overwrite differing files without asking"),
  maxLoss: text("<number>", "exit with 3 if more records than this are unsupported or lost"),
  report: choice("<format>", words, "output format", "text"),
  restart: flag("start again, even if the last import was interrupted"),
};

/** Imports zones, and reports each as soon as its file is written. */
export async function runImport(
  terminal: Terminal,
  project: Project,
  { source, from, argv }: { readonly source: ImportSource; readonly from: Origin; readonly argv: readonly string[] },
  options: Options<typeof importFlags & Pick<typeof projectFlags, "quiet">>,
): Promise<ExitCode> {
  const { to, yes = false, restart = false, maxLoss } = options;
  const most = maxLoss === undefined ? undefined : readNumber("--max-loss", maxLoss, 0);
  const again = ["zonewright", ...argv.filter((word) => word !== "--restart")];
  const command = again.map((word) => shellWord(escapeControl(word))).join(" ");
  const request = { source, to, isRestart: restart, command };
  const imports = importInto(terminal, project, request, {
    confirm: (change) => askToOverwrite(terminal, change, { yes, from }),
    onContinue: (begun, done) =>
      terminal.log(`continuing the import of ${begun}: ${done} of ${count(source.zones.length, "zone")} are there\n`),
    onUnreadable: (problems) =>
      printProblems(
        terminal,
        problems.map((one) => ({ ...one, severity: "warning" })),
      ),
  });
  const folder = folderInRepository(terminal.cwd);
  const report = reports[options.report](terminal.printStyle, {
    isQuiet: options.quiet,
    apex: project.target.capabilities.apex,
    folder,
  });
  const write = options.report === "text" ? (text: string) => printText(terminal, text) : terminal.print;
  write(report.begin);
  let counts = noImports;
  const failures: FailedImport[] = [];
  const repeated: ImportResult[] = [];
  const shown = new Set<string>();
  const overview = new ImportOverview();
  const written: Name[] = [];
  for await (const zone of imports) {
    write(report.zone(zone, counts === noImports));
    counts = countImport(counts, zone);
    overview.add(zone);
    if (zone.state === "written" || zone.state === "earlier") written.push(zone.name);
    if (zone.state === "failed") failures.push(zone);
    else {
      const fresh = zone.problems.filter((one) => !isRepeatable(one) || !shown.has(keyOf(one)));
      if (fresh.length < zone.problems.length)
        repeated.push({ ...zone, problems: zone.problems.filter((one) => !fresh.includes(one)) });
      for (const one of fresh) shown.add(keyOf(one));
      if (fresh.length > 0) printProblems(terminal, fresh);
    }
  }
  write(report.end(counts));
  printProblems(
    terminal,
    groupByProblem(repeated).map(({ place: _, fix: __, ...one }) => aroundSummary(one, "also ")),
  );
  printProblems(terminal, groupByProblem(failures));
  for (const line of await excuseAcross(project, written)) terminal.log(`note  ${escapeControl(line)}\n`);
  printProblems(terminal, await overview.notes(project));
  const { kept, failed, ...done } = counts.zones;
  const { unsupported, lost } = counts.records;
  const isTooMuch = most !== undefined && unsupported + lost > most;
  if (isTooMuch) {
    const records = count(unsupported + lost, "record");
    const classes = `${unsupported} unsupported, ${lost} lost`;
    terminal.log(`the service will not answer with ${records} (${classes}), more than --max-loss ${most}\n`);
  }
  // A zone that failed has no ledger, so these numbers are complete only without failures.
  if (failed > 0 && kept + done.written + done.same + done.earlier === 0) return exitCode.failed;
  if (failed + kept > 0) return exitCode.partly;
  return isTooMuch ? exitCode.invalid : exitCode.done;
}

type FailedImport = Extract<ImportResult, { readonly state: "failed" }>;

/** Whether a zone's problem is about its settings, so that one setting of the project solves it for all zones. */
function isRepeatable({ id }: Problem): boolean {
  return id === "soa-email" || id === "import-contact";
}

function keyOf({ id, summary }: Problem): string {
  return `${id} ${summary}`;
}

/** The problems of zones; zones with the same one share it. */
function groupByProblem(failures: readonly Pick<ImportResult, "name" | "problems">[]): Problem[] {
  const groups = new Map<string, { first: Problem; zones: Set<string> }>();
  for (const failure of failures) {
    for (const first of failure.problems) {
      const key = keyOf(first);
      const group = groups.get(key) ?? { first, zones: new Set() };
      if (failure.name !== undefined) group.zones.add(failure.name.slice(0, -1));
      groups.set(key, group);
    }
  }
  return [...groups.values()].map(({ first, zones: names }) => {
    const zones = [...names];
    if (zones.length === 0) return first;
    const list = zones.length > 3 ? `${zones.slice(0, 3).join(", ")} and ${zones.length - 3} more` : zones.join(", ");
    return aroundSummary(first, `${list}: `);
  });
}

/** The origin of a new version of a zone file, as a patch and a message name it. */
export type Origin = "live" | "transferred" | "imported";

/** Shows the change of a file, and asks whether it is made; `from` is the folder of the new version in the patch. */
export async function askToOverwrite(
  terminal: Terminal,
  { file, before, text }: FileChange,
  { yes, from }: { readonly yes: boolean; readonly from: Origin },
): Promise<boolean> {
  terminal.log(patchText(`git/${file}`, `${from}/${file}`, before, text), "exact");
  if (yes) return true;
  if (!terminal.ask) {
    terminal.log(`${escapeControl(file)} is kept: it differs from the ${from} zone; --yes overwrites it\n`);
    return false;
  }
  const answer = await terminal.ask(`Overwrite ${escapeControl(file)}? [y/N] `);
  terminal.signal.throwIfAborted();
  return /^y(?:es)?$/i.test(answer?.trim() ?? "");
}
