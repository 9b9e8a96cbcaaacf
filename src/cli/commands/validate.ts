import { hasErrors, usageError } from "../../diagnostics/problem.ts";
import { type Findings, findingsJson, findingsText } from "../../report/findings/findings.ts";
import type { Style } from "../../report/text/palette.ts";
import { openProject } from "../../workflow/project/project.ts";
import { folderInRepository } from "../../workflow/project/schema-line.ts";
import { lineOfFile } from "../../workflow/project/source-lines.ts";
import { requireView } from "../../workflow/project/targets.ts";
import { version } from "../../workflow/project/version.ts";
import { validateZones } from "../../workflow/snapshot/validate.ts";
import { findSnapshotToValidate } from "../../workflow/snapshot/validation-snapshot.ts";
import { apiFlags, choice, defineCommand, projectFlags, strict, text } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { readReports, reportFlag, writeReports } from "../reports.ts";
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
    hook: choice(
      "<server>",
      hookNames,
      "check the zone on standard input for this name server, which has each new version checked: exit code 0 accepts it",
    ),
  },
  interruption: "nothing was changed",
  async run(terminal, { zones }, { report, hook, ...options }) {
    if (hook !== undefined) {
      const others = [report, options.against, options.target, options.zones, options.strict];
      if (others.some((value) => value !== undefined)) throw usageError(`--hook ${hook} goes with --config only.`);
      return validateForServer(terminal, openProject(terminal, options), hook, zones);
    }
    const wanted = readReports(report, formats);
    const project = openProject(terminal, options);
    if (options.against !== undefined) requireView(project);
    const validation = await validateZones(project, zones, (view) =>
      findSnapshotToValidate(terminal, view, options.against),
    );
    const { cwd } = terminal;
    const findings = { ...validation, lineOf: lineOfFile(cwd), folder: folderInRepository(cwd) };
    const printed = await writeReports(terminal, wanted, (format, isFile) =>
      isFile ? texts[format](findings, fileStyle) : texts[format](findings, terminal.printStyle, terminal.printWidth()),
    );
    terminal.print(printed ?? "");
    return hasErrors(findings.problems) ? exitCode.invalid : exitCode.done;
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
