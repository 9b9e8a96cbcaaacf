import { count, plain, plainLines } from "../diagnostics/plain.ts";
import { type Problem, ProblemError } from "../diagnostics/problem.ts";
import { withoutDot } from "../dns/name.ts";
import { fitLines, problemsText } from "../report/findings.ts";
import { internalErrorText } from "../workflow/internal-error.ts";
import { nameOf } from "../workflow/invalid-zones.ts";
import { exitCodeOf } from "../workflow/outcome.ts";
import type { PlanReport } from "../workflow/plan-report.ts";
import { NoPlanError } from "../workflow/skip-invalid.ts";
import { lineOfFile } from "../workflow/source-lines.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

/** Invalid zones that one line names. */
const mostZones = 5;

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
    terminal.log(fitLines(`error: ${plainLines(error.message)}\n`, terminal.logWidth()));
  else printProblems(terminal, error.problems);
  if (error instanceof NoPlanError && error.cause.valid > 0)
    terminal.log(fitLines(noPlanText(error), terminal.logWidth()));
  return exitCodeOf(error);
}

/** The zones that stopped a plan, and how to plan the others. */
function noPlanText({ cause: { invalid, valid, canSkip } }: NoPlanError): string {
  const zones = [...new Set(invalid.map(({ read }) => `${plain(withoutDot(nameOf(read)))} (${plain(read.file)})`))];
  const more = zones.length > mostZones ? ` and ${count(zones.length - mostZones, "other")}` : "";
  const others = valid === 1 ? "the other zone" : `the other ${valid} zones`;
  const next = canSkip ? ` To take ${others}, add --skip-invalid.` : "";
  return `no plan: ${zones.slice(0, mostZones).join(", ")}${more} ${zones.length === 1 ? "is" : "are"} invalid.${next}\n`;
}

/** Prints the errors of zones that a plan leaves out. */
export function printSkipped(terminal: Terminal, { skipped = [] }: PlanReport): void {
  const errors = skipped.flatMap(({ errors }) => errors);
  if (errors.length > 0) printProblems(terminal, errors);
}

/** Prints problems for people, with the lines of their files. */
export function printProblems({ log, logStyle, logWidth, cwd }: Terminal, problems: readonly Problem[]): void {
  log(problemsText(problems, lineOfFile(cwd), logStyle, logWidth()));
}
