import { hasErrors } from "../../diagnostics/problem.ts";
import { findingsCodeQuality } from "../../report/code-quality.ts";
import { type Findings, findingsJson, findingsText } from "../../report/findings.ts";
import { findingsGithub } from "../../report/findings-github.ts";
import { findingsJunit } from "../../report/findings-junit.ts";
import { findingsMarkdown } from "../../report/findings-markdown.ts";
import { findingsSarif } from "../../report/findings-sarif.ts";
import type { Style } from "../../report/palette.ts";
import { openProject } from "../../workflow/project.ts";
import { readSnapshot } from "../../workflow/snapshot.ts";
import { lineOfFile } from "../../workflow/source-lines.ts";
import { validateZones } from "../../workflow/validate.ts";
import { version } from "../../workflow/version.ts";
import { defineCommand, projectFlags, strict, text } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { readReports, reportFlag, writeReports } from "../reports.ts";

const formats = ["text", "json", "markdown", "sarif", "junit", "github", "codequality"] as const;

type Format = (typeof formats)[number];

const fileStyle = { color: false, unicode: true };

const texts: Readonly<Record<Format, (findings: Findings, style: Style, width?: number) => string>> = {
  text: findingsText,
  json: findingsJson,
  markdown: (findings) => findingsMarkdown(findings),
  sarif: (findings) => findingsSarif(findings, version()),
  junit: (findings) => findingsJunit(findings),
  github: findingsGithub,
  codequality: findingsCodeQuality,
};

export const command = defineCommand({
  example: `  zonewright validate                        every zone file of the project
  zonewright validate zones/example.com.yaml --report json
  zonewright validate --report github --report junit=zones.xml
  zonewright validate --against ref:refs/zonewright/base
`,
  arguments: { "[zones...]": "zones or files; all if none is given" },
  flags: {
    ...projectFlags,
    strict,
    report: reportFlag(formats),
    against: text("<file>", "find records that point to addresses of deleted nodes, by a snapshot (or ref:REF)"),
  },
  async run(terminal, { zones }, { report, ...options }) {
    const wanted = readReports(report, formats);
    const project = openProject(terminal, options);
    const against = options.against === undefined ? undefined : readSnapshot(terminal, options.against);
    const validation = await validateZones(project, zones, { against });
    const findings = { ...validation, lineOf: lineOfFile(terminal.cwd) };
    const printed = await writeReports(terminal, wanted, (format, isFile) =>
      isFile ? texts[format](findings, fileStyle) : texts[format](findings, terminal.printStyle, terminal.printWidth()),
    );
    terminal.print(printed ?? "");
    return hasErrors(findings.problems) ? exitCode.invalid : exitCode.done;
  },
  reportProblems(problems, { report }, terminal) {
    const findings = { problems, files: [], zones: 0, records: 0, lineOf: lineOfFile(terminal.cwd) };
    // Standard error has the problems as text.
    return writeReports(terminal, readReports(report, formats), (format, isFile) =>
      format === "text" && !isFile ? undefined : texts[format](findings, fileStyle),
    );
  },
});
