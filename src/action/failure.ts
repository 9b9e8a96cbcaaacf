import { type Problem, ProblemError } from "../diagnostics/problem.ts";
import { problemsText } from "../report/findings/findings.ts";
import { failureMarkdown } from "../report/findings/markdown.ts";
import { noPlanText } from "../report/plan/skipped.ts";
import { exitCodeOf } from "../workflow/apply/outcome.ts";
import { exitCode } from "../workflow/project/exit-code.ts";
import { writeFiles } from "../workflow/project/files.ts";
import { internalErrorText } from "../workflow/project/internal-error.ts";
import { lineOfFile } from "../workflow/project/source-lines.ts";
import { NoPlanError } from "../workflow/zones/skip-invalid.ts";
import { annotateProblems, findingFiles } from "./findings.ts";
import type { Inputs } from "./inputs.ts";
import { type ActionResult, type Job, logStyle } from "./job.ts";
import type { Result } from "./outputs.ts";

interface FailedJob extends Pick<Job, "context" | "runner"> {
  readonly inputs: Inputs | undefined;
}

/** Shows why a command failed: in the log, at the lines of files, and in the files that the inputs ask for. */
export async function reportFailure(error: unknown, { context, inputs, runner }: FailedJob): Promise<ActionResult> {
  if (context.signal.aborted) {
    runner.log("interrupted: no further writes are sent\n");
    return { result: "interrupted", code: exitCode.interrupted };
  }
  if (!(error instanceof ProblemError)) {
    runner.log(`${internalErrorText(context, error)}\n`);
    return { result: "failed", code: exitCode.failed };
  }
  const { problems } = error;
  const reason = error instanceof NoPlanError ? noPlanText(error, "set `skip-invalid: true`") : "";
  const lineOf = lineOfFile(context.cwd);
  runner.log(problemsText(problems, lineOf, logStyle));
  annotateProblems(runner, inputs ?? { annotations: true }, problems);
  runner.log(reason);
  const findings = { problems, files: [], zones: 0, records: 0, lineOf };
  if (inputs) {
    const files = findingFiles(inputs, findings);
    await writeFiles(context, files, "").catch(() => {}); // the first error matters more
  }
  return {
    result: resultOf(problems),
    code: exitCodeOf(error),
    summary: (budget) =>
      failureMarkdown(inputs ? `zonewright ${inputs.command}` : "zonewright", problems, {
        budget,
        reason,
        door: "action",
      }),
  };
}

/** The result of a command that failed, by the exit code of its problems. */
function resultOf(problems: readonly Problem[]): Result {
  const has = (...ids: readonly Problem["id"][]) => problems.some(({ id }) => ids.includes(id));
  if (has("guard-blocked")) return "blocked";
  if (has("run-locked")) return "locked";
  const code = exitCodeOf(new ProblemError(problems));
  if (code === exitCode.planRefused) return "refused";
  return code === exitCode.invalid || code === exitCode.usage ? "invalid" : "failed";
}
