import { Advice, advise, type Fix } from "../diagnostics/advice.ts";
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

  /** @internal */
  override get words(): Fix {
    const { summary, fix } = this.problem;
    return fix instanceof Advice ? advise`${summary}. ${fix}` : this.message;
  }
}
