import { type Problem, ProblemError } from "../../diagnostics/problem.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import { findStatedName } from "../../formats/stated-name.ts";

/** A zone with the errors of its file. */
export interface InvalidZone {
  readonly read: ZoneOfFile;
  readonly errors: readonly Problem[];
}

/** The errors of zone files, and the zones that have them. */
export class InvalidZonesError extends ProblemError {
  readonly invalid: readonly InvalidZone[];
  /** The number of zones without errors. */
  readonly valid: number;

  constructor(problems: readonly Problem[], { invalid, valid }: Pick<InvalidZonesError, "invalid" | "valid">) {
    super(problems);
    this.invalid = invalid;
    this.valid = valid;
  }

  /** Whether the other zones can be used alone: every error belongs to a zone whose name is known. */
  get canSkip(): boolean {
    const known = new Set(this.invalid.flatMap(({ errors }) => errors.map(({ summary }) => summary)));
    const isOfZone = ({ severity, summary }: Problem) => severity !== "error" || known.has(summary);
    return (
      this.valid > 0 &&
      this.problems.every(isOfZone) &&
      this.invalid.every(({ read }) => findStatedName(read) !== undefined)
    );
  }
}
