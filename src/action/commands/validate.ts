import { hasErrors } from "../../diagnostics/problem.ts";
import { findingsText } from "../../report/findings.ts";
import { findingsMarkdown } from "../../report/findings-markdown.ts";
import { exitCode } from "../../workflow/exit-code.ts";
import { writeFiles } from "../../workflow/files.ts";
import { lineOfFile } from "../../workflow/source-lines.ts";
import { validateZones } from "../../workflow/validate.ts";
import { findSnapshotToValidate } from "../../workflow/validation-snapshot.ts";
import { annotateProblems, findingFiles } from "../findings.ts";
import { type Job, logStyle, type Outcome } from "../job.ts";

/** Checks zone files. */
export async function validate({ context, inputs, project, runner }: Job): Promise<Outcome> {
  const validation = await validateZones(project, inputs.zones, await findSnapshotToValidate(context, project));
  const findings = { ...validation, lineOf: lineOfFile(context.cwd) };
  runner.log(findingsText(findings, logStyle));
  annotateProblems(runner, inputs, findings.problems);
  await writeFiles(context, findingFiles(inputs, findings), "Name a file in a folder that the runner may write.");
  const isValid = !hasErrors(findings.problems);
  return {
    result: isValid ? "valid" : "invalid",
    code: isValid ? exitCode.done : exitCode.invalid,
    outputs: { zones: `${findings.zones}` },
    summary: (budget) => findingsMarkdown(findings, budget),
  };
}
