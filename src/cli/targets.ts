import { ProblemError, usageError } from "../diagnostics/problem.ts";
import { flagName } from "../diagnostics/shell-word.ts";
import type { Project } from "../workflow/project/project.ts";
import type { TargetPart } from "../workflow/zones/divide-names.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { printError } from "./print-error.ts";
import type { Terminal } from "./terminal.ts";

/** Refuses options that mean one service for a project with several targets. @throws {ProblemError} `usage` */
export function refuseSharedOptions(
  { selected }: Pick<Project, "selected">,
  options: Readonly<Record<string, unknown>>,
  shared: readonly string[],
): void {
  const [name] = shared.filter((name) => options[name] !== undefined && options[name] !== false);
  if (name === undefined) return;
  const names = selected.map(({ name }) => name).join(", ");
  throw usageError(`${flagName(name)} works with one target at a time: set --target to one of ${names}.`);
}

/** Runs a command on one target after another. An error of one does not stop the others; an interruption does. */
export async function runOnTargets(
  terminal: Terminal,
  parts: readonly TargetPart[],
  run: (part: TargetPart) => Promise<ExitCode>,
): Promise<ExitCode> {
  const codes: ExitCode[] = [];
  for (const part of parts) {
    if (terminal.signal.aborted) return exitCode.interrupted;
    terminal.log(`on ${part.view.view?.name}:\n`);
    try {
      codes.push(await run(part));
    } catch (error) {
      if (!(error instanceof ProblemError) || error.problem.kind === "usage") throw error;
      codes.push(printError(terminal, error));
    }
  }
  return joinCodes(codes);
}

/** The exit code of several targets: their own if all agree; else that of an error, or 5 if others were done. */
export function joinCodes(codes: readonly ExitCode[]): ExitCode {
  const [first = exitCode.done, ...others] = new Set(codes);
  if (others.length === 0) return first;
  if (codes.includes(exitCode.interrupted)) return exitCode.interrupted;
  return codes.includes(exitCode.done) ? exitCode.partly : (codes.find((code) => code !== exitCode.done) ?? first);
}
