import type { Fix } from "../diagnostics/advice.ts";
import { ProblemError, problem } from "../diagnostics/problem.ts";
import type { ProblemId } from "../diagnostics/registry.ts";

/** A failed call: one problem, whose summary and fix are also the message. */
export abstract class ClientError extends ProblemError {
  /** `summary` without a full stop, `fix` in sentences. */
  constructor(rule: ProblemId, summary: string, fix: Fix | undefined, cause?: unknown) {
    super([problem(rule, summary, { fix })]);
    this.message = fix === undefined ? summary : `${summary}. ${fix}`;
    if (cause !== undefined) this.cause = cause;
  }
}
