import { plainLines } from "../diagnostics/plain.ts";
import { type Problem, ProblemError } from "../diagnostics/problem.ts";
import { fitLines, problemsText } from "../report/findings.ts";
import { internalErrorText } from "../workflow/internal-error.ts";
import { exitCodeOf } from "../workflow/outcome.ts";
import { lineOfFile } from "../workflow/source-lines.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Prints why a command failed: known errors as sentences, others with their stack. `formatProblems` also formats them
 * for programs that read standard output.
 */
export function printError(
  terminal: Terminal,
  error: unknown,
  formatProblems?: (problems: readonly Problem[]) => string | undefined,
): ExitCode {
  if (!(error instanceof ProblemError)) terminal.log(`${internalErrorText(terminal, error)}\n`);
  // A mistake in the command line: one sentence, as commander prints its own.
  else if (error.problem.kind === "usage")
    terminal.log(fitLines(`error: ${plainLines(error.message)}\n`, terminal.logWidth()));
  else {
    const formatted = formatProblems?.(error.problems);
    if (formatted !== undefined) terminal.print(formatted);
    printProblems(terminal, error.problems);
  }
  return exitCodeOf(error);
}

/** Prints problems for people, with the lines of their files. */
export function printProblems({ log, logStyle, logWidth, cwd }: Terminal, problems: readonly Problem[]): void {
  log(problemsText(problems, lineOfFile(cwd), logStyle, logWidth()));
}
