import { Refusal } from "../diagnostics/diagnostic.ts";

/** What a call can fail with: one diagnostic, whose summary and fix are the message too. */
export abstract class ClientError extends Refusal {
  /** `summary` without a full stop, `fix` in sentences. */
  constructor(rule: string, summary: string, fix: string | undefined, cause?: unknown) {
    super([{ severity: "error", rule, summary, ...(fix !== undefined && { fix }) }]);
    this.message = fix === undefined ? summary : `${summary}. ${fix}`;
    if (cause !== undefined) this.cause = cause;
  }
}
