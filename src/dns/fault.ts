import { ProblemError, problem } from "../diagnostics/problem.ts";
import type { ProblemId } from "../diagnostics/registry.ts";

/** Something in a text that cannot be read. Readers tell it from other problems by its class, and add the place. */
export class Fault extends ProblemError {
  constructor(id: ProblemId, summary: string, fix?: string) {
    super(problem(id, summary, { fix }));
    this.name = "Fault";
  }
}
