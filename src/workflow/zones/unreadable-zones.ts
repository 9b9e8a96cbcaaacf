import { ProblemError } from "../../diagnostics/problem.ts";
import { hasProblem } from "../../executor/journal/apply-problems.ts";

/** Whether an error is about the live version of one zone, so that other zones can be read all the same. */
export function isUnreadableZone(error: unknown): error is ProblemError {
  return error instanceof ProblemError && (hasProblem(error, "files/read") || hasProblem(error, "powerdns/records"));
}
