import { hasErrors } from "../../diagnostics/problem.ts";
import { findingsText } from "../../report/findings/findings.ts";
import { findingsMarkdown } from "../../report/findings/markdown.ts";
import { exitCode } from "../../workflow/project/exit-code.ts";
import { writeFiles } from "../../workflow/project/files.ts";
import { lineOfFile } from "../../workflow/project/source-lines.ts";
import { validateZones } from "../../workflow/snapshot/validate.ts";
import { findSnapshotToValidate } from "../../workflow/snapshot/validation-snapshot.ts";
import { annotateProblems, findingFiles } from "../findings.ts";
import { type ActionResult, type Job, logStyle } from "../job.ts";

/** Checks zone files. */
export async function validateStep({ context, inputs, project, runner }: Job): Promise<ActionResult> {
  const validation = await validateZones(project, inputs.zones, (view) => findSnapshotToValidate(context, view));
  const findings = { ...validation, lineOf: lineOfFile(context.cwd) };
  runner.log(findingsText(findings, logStyle));
  annotateProblems(runner, inputs, findings.problems);
  await writeFiles(context, findingFiles(inputs, findings), "Name a file in a folder that the runner may write.");
  const isValid = !hasErrors(findings.problems);
  return {
    result: isValid ? "valid" : "invalid",
    code: isValid ? exitCode.done : exitCode.invalid,
    outputs: { zones: `${findings.zones}` },
    summary: (budget) => findingsMarkdown(findings, budget, "action"),
  };
}
