import type { Problem } from "../diagnostics/problem.ts";
import type { Findings } from "../report/findings.ts";
import { findingsJunit } from "../report/findings-junit.ts";
import { findingsSarif } from "../report/findings-sarif.ts";
import { annotationOf } from "../report/workflow-command.ts";
import type { FileToWrite } from "../workflow/files.ts";
import { version } from "../workflow/version.ts";
import type { Inputs } from "./inputs.ts";
import type { Runner } from "./runner.ts";

/** Shows problems at their lines, errors first. */
export function annotateProblems(
  runner: Runner,
  { annotations }: Pick<Inputs, "annotations">,
  problems: readonly Problem[],
): void {
  if (annotations) runner.annotate(problems.map(annotationOf));
}

/** The files of findings that the inputs ask for. */
export function findingFiles({ sarif, junit }: Pick<Inputs, "sarif" | "junit">, findings: Findings): FileToWrite[] {
  return [
    ...(sarif === undefined ? [] : [{ file: sarif, text: findingsSarif(findings, version()) }]),
    ...(junit === undefined ? [] : [{ file: junit, text: findingsJunit(findings) }]),
  ];
}
