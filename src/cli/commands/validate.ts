import { hasErrors } from "../../diagnostics/problem.ts";
import { type Findings, findingsJson, findingsText } from "../../report/findings.ts";
import { findingsGithub } from "../../report/findings-github.ts";
import { findingsJunit } from "../../report/findings-junit.ts";
import { findingsSarif } from "../../report/findings-sarif.ts";
import type { Style } from "../../report/palette.ts";
import { openProject } from "../../workflow/project.ts";
import { lineOfFile } from "../../workflow/source-lines.ts";
import { validateZones } from "../../workflow/validate.ts";
import { version } from "../../workflow/version.ts";
import { choice, defineCommand, projectFlags, strict } from "../command.ts";
import { exitCode } from "../exit-code.ts";

const words = ["text", "json", "sarif", "junit", "github"] as const;

const formats: Readonly<Record<(typeof words)[number], (findings: Findings, style: Style, width?: number) => string>> =
  {
    text: findingsText,
    json: findingsJson,
    sarif: (findings) => findingsSarif(findings, version()),
    junit: findingsJunit,
    github: findingsGithub,
  };

export const command = defineCommand({
  example: `  zonewright validate                        every zone file of the project
  zonewright validate zones/example.com.yaml --report json
`,
  arguments: { "[zones...]": "zones or files; all if none is given" },
  flags: {
    ...projectFlags,
    strict,
    report: choice("<format>", words, "output format", "text"),
  },
  async run(terminal, { zones }, options) {
    const validation = await validateZones(openProject(terminal, options), zones);
    const findings = { ...validation, lineOf: lineOfFile(terminal.cwd) };
    terminal.print(formats[options.report](findings, terminal.printStyle, terminal.printWidth()));
    return hasErrors(findings.problems) ? exitCode.invalid : exitCode.done;
  },
  formatProblems(problems, { report }, { cwd, printStyle }) {
    if (report === "text") return undefined;
    return formats[report]({ problems, files: [], zones: 0, records: 0, lineOf: lineOfFile(cwd) }, printStyle);
  },
});
