import { type Place, type Problem, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { asName, nameKey } from "../../dns/name/name.ts";
import type { Zone } from "../../dns/zone/zone.ts";

/** The maximum number of reported problems: later ones are mostly consequences of earlier ones. */
export const mostFaults = 200;

/** The problems of one file: the first ones, then a note that there are more. */
export class Faults {
  readonly list: Problem[] = [];
  readonly #end: () => Place;

  /** `end` is the place at which the file ends. */
  constructor(end: () => Place) {
    this.#end = end;
  }

  report(found: Problem): void {
    if (this.list.length < mostFaults) this.list.push(found);
    else if (found.severity === "error" || this.list.length === mostFaults)
      this.list[mostFaults] = tooManyProblem(found.severity, this.#end());
  }
}

/** The note about omitted problems: an error if one of them is, because the zone must not be used then. */
function tooManyProblem(severity: Problem["severity"], at: Place): Problem {
  const summary = `only the first ${mostFaults} problems are shown`;
  return problem("too-many-errors", summary, { severity, place: at, fix: "Fix these first." });
}

const absences: readonly ProblemId[] = [
  "directive-missing",
  "field-missing",
  "origin-needs-dot",
  "owner-missing",
  "ttl-missing",
  "type-missing",
  "value-missing",
];

/** Whether the problem is a missing part, so that no word of the text is wrong. */
export function isOfAbsence({ id }: Pick<Problem, "id">): boolean {
  return absences.includes(id);
}

/** The owners of records that were omitted because of errors. */
export function unreadOf(problems: readonly Problem[]): Pick<Zone, "unread"> {
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return {};
  const owners = new Set(errors.flatMap(({ owner }) => (owner === undefined ? [] : [nameKey(asName(owner))])));
  return { unread: { owners, isAny: errors.some(({ owner }) => owner === undefined) } };
}
