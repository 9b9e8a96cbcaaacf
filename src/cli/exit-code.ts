import { ApiError } from "../client/api-error.ts";

/** What the exit code of a run means (docs: Exit codes). */
export const exitCode = {
  done: 0,
  failed: 1,
  differences: 2,
  invalid: 3,
  partly: 5,
  notVerified: 6,
  tryLater: 8,
  usage: 64,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** A call of the program that makes no sense. */
export class UsageError extends Error {}

/** The code of a run that ended with an error. */
export function codeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return exitCode.usage;
  if (error instanceof ApiError)
    return error.kind === "rate" || error.kind === "maintenance" ? exitCode.tryLater : exitCode.failed;
  return exitCode.failed;
}
