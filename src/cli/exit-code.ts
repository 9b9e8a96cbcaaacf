/** What the exit code of a run means (docs: Exit codes). */
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
