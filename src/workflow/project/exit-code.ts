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
