import { escapeLines } from "../diagnostics/escape.ts";
import { type Problem, ProblemError, summaryText } from "../diagnostics/problem.ts";
import { problemsText } from "../report/findings/findings.ts";
import { noPlanText } from "../report/plan/skipped.ts";
import { exitCodeOf } from "../workflow/apply/outcome.ts";
import type { PlanReport } from "../workflow/plan/plan-report.ts";
import { internalErrorText } from "../workflow/project/internal-error.ts";
import { lineOfFile } from "../workflow/project/source-lines.ts";
import { NoPlanError } from "../workflow/zones/skip-invalid.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

/** Reports the problems of a failed command to programs, as `Command.reportProblems`. */
type ReportProblems = (problems: readonly Problem[]) => Promise<string | undefined>;

/** Prints why a command failed, after it was reported to programs that read standard output or files. */
export async function reportError(
  terminal: Terminal,
  error: unknown,
  reportProblems: ReportProblems,
): Promise<ExitCode> {
  if (!(error instanceof ProblemError) || error.problem.kind === "usage") return printError(terminal, error);
  try {
    const printed = await reportProblems(error.problems);
    if (printed !== undefined) terminal.print(printed);
  } catch (failure) {
    // A report that cannot be written may be the error itself.
    if (!(failure instanceof ProblemError) || failure.message !== error.message) printError(terminal, failure);
  }
  return printError(terminal, error);
}

/** Prints why a command failed: known errors as sentences, others with their stack. */
export function printError(terminal: Terminal, error: unknown): ExitCode {
  if (!(error instanceof ProblemError)) terminal.log(`${internalErrorText(terminal, error)}\n`);
  // A mistake in the command line: one sentence, as commander prints its own.
  else if (error.problem.kind === "usage")
    terminal.log(`error: ${escapeLines(error.problems.map((one) => summaryText(one, "cli")).join("\n"))}\n`);
  else printProblems(terminal, error.problems);
  if (error instanceof NoPlanError) terminal.log(noPlanText(error, "add --skip-invalid"));
  return exitCodeOf(error);
}

/** Prints the errors of zones that a plan leaves out. */
export function printSkipped(terminal: Terminal, { skipped = [] }: PlanReport): void {
  const errors = skipped.flatMap(({ errors }) => errors);
  if (errors.length > 0) printProblems(terminal, errors);
}

/** Prints problems for people, with the lines of their files. */
export function printProblems({ log, logStyle, cwd }: Terminal, problems: readonly Problem[]): void {
  log(problemsText(problems, lineOfFile(cwd), logStyle));
}
