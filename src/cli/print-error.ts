import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { createRedactor } from "../client/secret.ts";
import { plainLines } from "../diagnostics/plain.ts";
import { type Place, type Problem, ProblemError } from "../diagnostics/problem.ts";
import { SourceText } from "../diagnostics/source-text.ts";
import { fitLines, problemsText } from "../report/findings.ts";
import { codesOfKinds, type ExitCode, exitCode } from "./exit-code.ts";
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

/** The stack of an unexpected error, without the token and without control characters. */
export function internalErrorText({ env }: Pick<Terminal, "env">, error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const text = plainLines(createRedactor(env.ZONEWRIGHT_TOKEN?.trim()).text(stack));
  return `internal error in zonewright; please report it with this text:\n${text}`;
}

/** The exit code of an error: that of the first kind of its problems, in the order of `codesOfKinds`. */
export function exitCodeOf(error: unknown): ExitCode {
  if (!(error instanceof ProblemError)) return exitCode.failed;
  const kinds = new Set(error.problems.map(({ kind }) => kind));
  return codesOfKinds.find(([kind]) => kinds.has(kind))?.[1] ?? exitCode.failed;
}

/** Finds the line of a place, for the frame around a problem; each file is read once, and secrets are hidden. */
export function lineOfFile(cwd: string): (place: Place) => string | undefined {
  const texts = new Map<string, SourceText | undefined>();
  return ({ file, line }) => {
    if (!texts.has(file)) texts.set(file, read(resolve(cwd, file), file));
    return texts.get(file)?.line(line).replace(secret, "$1…").replace(password, "$1…@");
  };
}

/** `token: …` has no meaning in any file that zonewright reads, but people try it. */
const secret = /(\b\w*(?:token|secret|password)["']?\s*:\s*)\S.*/i;

/** As in `https://user:password@api.example.com`. */
const password = /(:\/\/)[^/\s@]*@/g;

function read(path: string, file: string): SourceText | undefined {
  try {
    // What a shell passes as <(command) cannot be read twice.
    return statSync(path).isFile() ? new SourceText(file, readFileSync(path, "latin1"), "latin1") : undefined;
  } catch {
    return undefined; // the problem is shown without its frame
  }
}
