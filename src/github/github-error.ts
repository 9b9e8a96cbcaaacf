import { ProblemError, problem } from "../diagnostics/problem.ts";
import type { ProblemId } from "../diagnostics/registry.ts";

/** The reason why a call of GitHub's API failed. */
export interface GitHubFailure {
  readonly id: ProblemId;
  /** A continuation of "POST /repos/octo-org/zones/pulls: …", without a full stop; neither secret nor raw. */
  readonly what: string;
  readonly fix?: string | undefined;
  /** The status of the reply; undefined without a reply. */
  readonly status?: number | undefined;
  /** Whether a write may have taken effect. */
  readonly isAmbiguous?: boolean;
  /** The time that GitHub asks to wait before the next attempt, in milliseconds. */
  readonly waitMs?: number | undefined;
  readonly cause?: unknown;
}

/** A failed call of GitHub's API. Its message never contains the token. */
export class GitHubError extends ProblemError {
  readonly status: number | undefined;
  readonly isAmbiguous: boolean;
  readonly waitMs: number | undefined;

  constructor(line: string, failure: GitHubFailure) {
    super(problem(failure.id, `${line}: ${failure.what}`, { fix: failure.fix }), { cause: failure.cause });
    this.name = "GitHubError";
    this.status = failure.status;
    this.isAmbiguous = failure.isAmbiguous ?? false;
    this.waitMs = failure.waitMs;
  }
}

/** Whether the error is GitHub's reply that an object does not exist (any more). */
export function isGone(error: unknown): boolean {
  return error instanceof GitHubError && error.problem.id === "github/not-found";
}
