import type { Problem } from "../diagnostics/problem.ts";
import { type Findings, problemsText } from "../report/findings/findings.ts";
import { findingsJunit } from "../report/findings/junit.ts";
import { findingsSarif } from "../report/findings/sarif.ts";
import { annotationOf } from "../report/format/workflow-command.ts";
import { skippedErrors } from "../report/plan/skipped.ts";
import type { PlanReport } from "../workflow/plan/plan-report.ts";
import type { FileToWrite } from "../workflow/project/files.ts";
import { lineOfFile } from "../workflow/project/source-lines.ts";
import { version } from "../workflow/project/version.ts";
import type { Inputs } from "./inputs.ts";
import { type Job, logStyle } from "./job.ts";
import type { Runner } from "./runner.ts";

/** Shows problems at their lines, errors first. */
export function annotateProblems(
  runner: Runner,
  { annotations }: Pick<Inputs, "annotations">,
  problems: readonly Problem[],
): void {
  if (annotations) runner.annotate(problems.map((one) => annotationOf(one, "action")));
}

/** Shows the errors of zones that a plan leaves out. */
export function reportSkipped({ context, inputs, runner }: Job, report: PlanReport): void {
  const problems = skippedErrors(report);
  if (problems.length === 0) return;
  runner.log(problemsText(problems, lineOfFile(context.cwd), logStyle));
  annotateProblems(runner, inputs, problems);
}

/** The files of findings that the inputs ask for. */
export function findingFiles({ sarif, junit }: Pick<Inputs, "sarif" | "junit">, findings: Findings): FileToWrite[] {
  return [
    ...(sarif === undefined ? [] : [{ file: sarif, text: findingsSarif(findings, version(), undefined, "action") }]),
    ...(junit === undefined ? [] : [{ file: junit, text: findingsJunit(findings, undefined, "action") }]),
  ];
}
