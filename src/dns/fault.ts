import { ProblemError, problem } from "../diagnostics/problem.ts";
import type { ProblemId } from "../diagnostics/registry.ts";

/** A syntax error in a text. Readers catch this class and add the place. */
export class Fault extends ProblemError {
  constructor(id: ProblemId, summary: string, fix?: string) {
    super(problem(id, summary, { fix }));
    this.name = "Fault";
  }
}
