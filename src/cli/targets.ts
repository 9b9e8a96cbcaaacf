import { escapeControl } from "../diagnostics/escape.ts";
import { ProblemError, usageError } from "../diagnostics/problem.ts";
import { flagName } from "../diagnostics/shell-word.ts";
import { palette } from "../report/text/palette.ts";
import { joinCodes } from "../workflow/project/exit-code.ts";
import type { Project } from "../workflow/project/project.ts";
import { targetPlaceholder } from "../workflow/project/targets.ts";
import type { TargetPart } from "../workflow/zones/divide-names.ts";
import type { ResultsOfTargets } from "../workflow/zones/each-target.ts";
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

/**
 * Refuses options with the name of one file or ref for several targets, unless it contains `{target}`.
 * @throws {ProblemError} `usage`
 */
export function requirePattern(
  { selected }: Pick<Project, "selected">,
  options: Readonly<Record<string, unknown>>,
  names: readonly string[],
): void {
  for (const name of names) {
    const value = options[name];
    if (typeof value !== "string" || value.includes(targetPlaceholder)) continue;
    const known = selected.map(({ name }) => name).join(", ");
    throw usageError(
      `${flagName(name)} ${escapeControl(value)} is one place for the targets ${known}: write ${targetPlaceholder} in it, which stands for the name of each, or set --target to one of them.`,
    );
  }
}

/** Refuses to write what several targets have to standard output. @throws {ProblemError} `usage` */
export function refuseStream({ selected }: Pick<Project, "selected">, instead: string): never {
  const names = selected.map(({ name }) => name).join(", ");
  throw usageError(`standard output is for one target: add ${instead}, or set --target to one of ${names}.`);
}

/** The heading of what a command prints about a target. */
export function targetHeading({ printStyle }: Pick<Terminal, "printStyle">, target: string): string {
  return `${palette(printStyle).bold(`on ${target}`)}\n`;
}

/** Prints the errors of targets, and returns the exit code of all; `code` is that of the others. */
export function printFailed(
  terminal: Terminal,
  {
    done,
    failed,
    errors,
  }: Pick<ResultsOfTargets<unknown>, "failed" | "errors"> & { readonly done: readonly unknown[] },
  code: ExitCode,
): ExitCode {
  const codes = errors.map((error, index) => {
    terminal.log(`on ${failed[index]?.target}:\n`);
    return printError(terminal, error);
  });
  if (codes.length === 0) return code;
  return done.length > 0 ? exitCode.partly : joinCodes(codes);
}

/**
 * Runs a command on one target after another, each under a heading. An error of one does not stop the others; an
 * interruption does. `isDataInFiles`: the command prints nothing to standard output.
 */
export async function runOnTargets(
  terminal: Terminal,
  parts: readonly TargetPart[],
  run: (part: TargetPart) => Promise<ExitCode>,
  { isDataInFiles = false } = {},
): Promise<ExitCode> {
  return joinCodes([...(await codesOfTargets(terminal, parts, run, { isDataInFiles })).values()]);
}

/** The exit code on each target, by its name, as `runOnTargets` runs a command. */
export async function codesOfTargets(
  terminal: Terminal,
  parts: readonly TargetPart[],
  run: (part: TargetPart) => Promise<ExitCode>,
  { isDataInFiles = false } = {},
): Promise<Map<string, ExitCode>> {
  const codes = new Map<string, ExitCode>();
  for (const part of parts) {
    if (terminal.signal.aborted) return codes.set("", exitCode.interrupted);
    const target = part.view.view?.name ?? "";
    terminal.log(`on ${target}:\n`);
    // A file or a pipe gets a heading of its own; a terminal shows both streams.
    if (!isDataInFiles && terminal.printWidth() === undefined) terminal.print(targetHeading(terminal, target));
    try {
      codes.set(target, await run(part));
    } catch (error) {
      if (!(error instanceof ProblemError) || error.problem.kind === "usage" || terminal.signal.aborted) throw error;
      codes.set(target, printError(terminal, error));
    }
  }
  return codes;
}
