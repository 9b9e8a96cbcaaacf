import { join, resolve } from "node:path";
import { acksFile } from "../../config/acks.ts";
import { hasErrors, ProblemError, usageError } from "../../diagnostics/problem.ts";
import { type Findings, findingsJson, findingsText } from "../../report/findings/findings.ts";
import type { Style } from "../../report/text/palette.ts";
import { openProject, type Project, type ProjectOptions } from "../../workflow/project/project.ts";
import { folderInRepository } from "../../workflow/project/schema-line.ts";
import { lineOfFile } from "../../workflow/project/source-lines.ts";
import { requireView } from "../../workflow/project/targets.ts";
import { version } from "../../workflow/project/version.ts";
import { validateZones } from "../../workflow/snapshot/validate.ts";
import { findSnapshotToValidate } from "../../workflow/snapshot/validation-snapshot.ts";
import { apiFlags, choice, defineCommand, flag, projectFlags, strict, text } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { readReports, reportFlag, type WantedReport, writeReports } from "../reports.ts";
import type { Terminal } from "../terminal.ts";
import { hookNames, validateForServer } from "../validate-hook.ts";

const formats = ["text", "json", "markdown", "sarif", "junit", "github", "codequality"] as const;

type Format = (typeof formats)[number];

const fileStyle = { color: false, unicode: true };

/** `folder` is the working folder in its repository. */
type Report = (
  findings: Findings & { readonly folder: string },
  style: Style,
  width?: number,
) => string | Promise<string>;

/** Reports other than text and JSON are loaded on demand, because their modules are as large as the checks. */
const texts: Readonly<Record<Format, Report>> = {
  text: findingsText,
  json: findingsJson,
  markdown: async (findings) => (await import("../../report/findings/markdown.ts")).findingsMarkdown(findings),
  sarif: async (findings) =>
    (await import("../../report/findings/sarif.ts")).findingsSarif(findings, version(), findings.folder),
  junit: async (findings) => (await import("../../report/findings/junit.ts")).findingsJunit(findings),
  github: async (findings) =>
    (await import("../../report/findings/github.ts")).findingsGithub(findings, findings.folder),
  codequality: async (findings) =>
    (await import("../../report/plan/code-quality.ts")).findingsCodeQuality(findings, findings.folder),
};

export const validateCommand = defineCommand({
  example: `  zonewright validate                        every zone file of the project
  zonewright validate zones/example.com.yaml --report json
  zonewright validate --report github --report junit=zones.xml
  zonewright validate --against ref:refs/zonewright/snapshot
  zonewright validate --watch                again whenever a file is saved
  zonewright validate --hook nsd             as the verifier of NSD
`,
  arguments: { "[zones...]": "zones or files; all if none is given" },
  flags: {
    ...projectFlags,
    target: apiFlags.target,
    strict,
    report: reportFlag(formats),
    against: text(
      "<file>",
      "find records that point to addresses which nodes lost, by this snapshot (or ref:REF); by default the published one",
    ),
    watch: flag("validate again whenever a file of the project changes, until Ctrl-C"),
    hook: choice(
      "<server>",
      hookNames,
      "check the zone on standard input for this name server, which has each new version checked: exit code 0 accepts it",
    ),
  },
  interruption: "nothing was changed",
  async run(terminal, { zones }, { report, hook, watch, ...options }) {
    if (hook !== undefined) {
      const others = [report, watch, options.against, options.target, options.zones, options.strict];
      if (others.some((value) => value !== undefined)) throw usageError(`--hook ${hook} goes with --config only.`);
      return validateForServer(terminal, openProject(terminal, options), hook, zones);
    }
    const wanted = readReports(report, formats);
    if (watch) {
      if (report !== undefined) throw usageError("--watch has the text report only: leave out --report.");
      return validateOnChange(terminal, zones, options, wanted);
    }
    return validateOnce(terminal, zones, openProject(terminal, options), { ...options, wanted });
  },
  reportProblems(problems, { report }, terminal) {
    const { cwd } = terminal;
    const none = { files: [], zones: 0, records: 0 };
    const findings = { ...none, problems, lineOf: lineOfFile(cwd), folder: folderInRepository(cwd) };
    // Standard error has the problems as text.
    return writeReports(terminal, readReports(report, formats), (format, isFile) =>
      format === "text" && !isFile ? undefined : texts[format](findings, fileStyle),
    );
  },
});

interface ValidateOptions extends ProjectOptions {
  readonly against?: string | undefined;
}

async function validateOnce(
  terminal: Terminal,
  zones: readonly string[],
  project: Project,
  { against, wanted }: ValidateOptions & { readonly wanted: readonly WantedReport<Format>[] },
): Promise<ExitCode> {
  if (against !== undefined) requireView(project);
  const validation = await validateZones(project, zones, (view) => findSnapshotToValidate(terminal, view, against));
  const { cwd } = terminal;
  const findings = { ...validation, lineOf: lineOfFile(cwd), folder: folderInRepository(cwd) };
  const printed = await writeReports(terminal, wanted, (format, isFile) =>
    isFile ? texts[format](findings, fileStyle) : texts[format](findings, terminal.printStyle, terminal.printWidth()),
  );
  terminal.print(printed ?? "");
  return hasErrors(findings.problems) ? exitCode.invalid : exitCode.done;
}

/** The files that `validate` reads: those of the config, until it can be read again those of the last time. */
async function validateOnChange(
  terminal: Terminal,
  zones: readonly string[],
  options: ValidateOptions,
  wanted: readonly WantedReport<Format>[],
): Promise<ExitCode> {
  const { repeatOnChange } = await import("../watch.ts");
  const { printError } = await import("../print-error.ts");
  const config = resolve(terminal.cwd, options.config);
  let places = [config];
  await repeatOnChange(
    terminal,
    () => places,
    async () => {
      try {
        const project = openProject(terminal, options);
        const named = zones.map((zone) => resolve(terminal.cwd, zone));
        const folders = project.folders.map(({ path }) => path);
        places = [config, join(project.root, acksFile), project.templates.folder.path, ...folders, ...named];
        await validateOnce(terminal, zones, project, { ...options, wanted });
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        printError(terminal, error);
      }
    },
  );
  return exitCode.done;
}
