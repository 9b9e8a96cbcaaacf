import { ProblemError } from "../../diagnostics/problem.ts";
import type { FailedTarget } from "../../planner/plan-file/plan-set.ts";
import type { RunContext } from "../project/run-context.ts";
import type { TargetPart } from "./divide-names.ts";

/** The results of a job on several targets. */
export interface ResultsOfTargets<T> {
  readonly done: readonly { readonly target: string; readonly value: T }[];
  /** The targets on which it failed, with the problems. */
  readonly failed: readonly FailedTarget[];
  /** Their errors, in the same order. */
  readonly errors: readonly ProblemError[];
}

/**
 * Does a job on one target after another. An error of one does not prevent the others.
 * @throws {ProblemError} `usage`, which is a mistake about all of them, and any error once it is interrupted
 */
export async function onEachTarget<T>(
  { signal }: Pick<RunContext, "signal">,
  parts: readonly TargetPart[],
  run: (part: TargetPart) => Promise<T>,
): Promise<ResultsOfTargets<T>> {
  const done: ResultsOfTargets<T>["done"][number][] = [];
  const failed: FailedTarget[] = [];
  const errors: ProblemError[] = [];
  for (const part of parts) {
    const target = part.view.view?.name ?? "";
    try {
      done.push({ target, value: await run(part) });
    } catch (error) {
      if (!(error instanceof ProblemError) || error.problem.kind === "usage" || signal.aborted) throw error;
      failed.push({ target, problems: error.problems });
      errors.push(error);
    }
  }
  return { done, failed, errors };
}
