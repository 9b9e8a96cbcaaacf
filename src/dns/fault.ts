import type { ProblemId } from "../diagnostics/registry.ts";
/** Something in a text that cannot be read, in the words of its rule. Readers catch it and add the place. */
export class Fault extends Error {
  readonly rule: ProblemId;
  readonly fix: string | undefined;

  constructor(rule: ProblemId, summary: string, fix?: string) {
    super(summary);
    this.name = "Fault";
    this.rule = rule;
    this.fix = fix;
  }
}
