import type { ProblemKind } from "../../diagnostics/ids/entry.ts";

/** Exit codes of the program. */
export const exitCode = {
  done: 0,
  failed: 1,
  differences: 2,
  invalid: 3,
  planRefused: 4,
  partly: 5,
  notVerified: 6,
  inconclusive: 7,
  tryLater: 8,
  usage: 64,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The exit code of each kind of problem; of several kinds the first one decides. */
export const codesOfKinds: readonly (readonly [ProblemKind, ExitCode])[] = [
  ["usage", exitCode.usage],
  ["later", exitCode.tryLater],
  ["refused", exitCode.planRefused],
  ["failed", exitCode.failed],
  ["input", exitCode.invalid],
];

/** The exit code of several targets: their own if all agree; else that of an error, or 5 if others were done. */
export function joinCodes(codes: readonly ExitCode[]): ExitCode {
  const [first = exitCode.done, ...others] = new Set(codes);
  if (others.length === 0) return first;
  if (codes.includes(exitCode.interrupted)) return exitCode.interrupted;
  return codes.includes(exitCode.done) ? exitCode.partly : (codes.find((code) => code !== exitCode.done) ?? first);
}
