import { usageError } from "../diagnostics/problem.ts";
import { flagName } from "../diagnostics/shell-word.ts";
import type { Project } from "../workflow/project/project.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";

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

/** The exit code of several targets: their own if all agree; else that of an error, or 5 if others were done. */
export function joinCodes(codes: readonly ExitCode[]): ExitCode {
  const [first = exitCode.done, ...others] = new Set(codes);
  if (others.length === 0) return first;
  if (codes.includes(exitCode.interrupted)) return exitCode.interrupted;
  return codes.includes(exitCode.done) ? exitCode.partly : (codes.find((code) => code !== exitCode.done) ?? first);
}
