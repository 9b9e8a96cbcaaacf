import { hasErrors, type Problem } from "../../diagnostics/problem.ts";
import { type Findings, findingsJson, findingsText } from "../../report/findings.ts";
import { findingsGithub } from "../../report/findings-github.ts";
import { findingsJunit } from "../../report/findings-junit.ts";
import { findingsSarif } from "../../report/findings-sarif.ts";
import { accept } from "../../targets/api/accept.ts";
import { openProject, type ProjectOptions } from "../../workflow/project.ts";
import { version } from "../../workflow/version.ts";
import { judge, readZones } from "../../workflow/zones.ts";
import type { Context } from "../context.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { reportingRefusals } from "../report-refusal.ts";
import { lineOfFile } from "../source-lines.ts";

export interface ValidateOptions extends ProjectOptions {
  readonly report: keyof typeof reports;
}

const reports = {
  text: (findings: Findings, { outStyle }: Context) => findingsText(findings, outStyle),
  json: findingsJson,
  sarif: (findings: Findings) => findingsSarif(findings, version()),
  junit: findingsJunit,
  github: findingsGithub,
};

/** `zonewright validate`: what there is to say about zone files. */
export async function validate(context: Context, args: readonly string[], options: ValidateOptions): Promise<ExitCode> {
  const report = reports[options.report];
  const nothing = { files: [], zones: 0, records: 0, lineOf: lineOfFile(context.cwd) };
  const format = (problems: readonly Problem[]) => report({ ...nothing, problems }, context);
  return reportingRefusals(context, options.report === "text" ? undefined : format, () =>
    check(context, args, options),
  );
}

async function check(context: Context, args: readonly string[], options: ValidateOptions): Promise<ExitCode> {
  const project = openProject(context, options);
  const read = readZones(project, args);
  const { problems } = judge(read, project.isStrict, accept);
  const findings = {
    problems,
    files: read.zones.map(({ file }) => file),
    zones: read.zones.length,
    records: read.zones.reduce((sum, { zone }) => sum + zone.records.length, 0),
    lineOf: lineOfFile(context.cwd),
  };
  context.out(reports[options.report](findings, context));
  return hasErrors(problems) ? exitCode.invalid : exitCode.done;
}
