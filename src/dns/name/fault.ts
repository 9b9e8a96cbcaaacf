import type { Fix } from "../../diagnostics/advice.ts";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";

/**
 * A syntax error in a text. Readers catch this class and add the place. It has no stack, which is never shown and
 * costs several times what reading a record does: a hostile input may have a fault in each.
 */
export class Fault extends ProblemError {
  constructor(id: ProblemId, summary: string, fix?: Fix) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(problem(id, summary, { fix }));
    Error.stackTraceLimit = stackTraceLimit;
    this.name = "Fault";
  }
}
