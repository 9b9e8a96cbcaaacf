import type { ProblemError } from "../../diagnostics/problem.ts";
import type { PlanSet } from "../../planner/plan-file/plan-schema.ts";
import { type FailedTarget, planSet } from "../../planner/plan-file/plan-set.ts";
import type { RunContext } from "../project/run-context.ts";
import type { TargetPart } from "../zones/divide-names.ts";
import { onEachTarget } from "../zones/each-target.ts";
import type { PlanRequest, PlanResult } from "./plan.ts";

/** The plans of several targets. */
export interface PlansOfTargets extends Pick<PlanResult, "isEmpty" | "isBlocked" | "isPartial"> {
  readonly plans: readonly (PlanResult & { readonly target: string })[];
  /** The targets that could not be planned. */
  readonly failed: readonly FailedTarget[];
  /** Their errors, in the same order. */
  readonly errors: readonly ProblemError[];
  /** The plan files of the others in one, if plan files are made. */
  readonly file?: PlanSet;
}

/** Plans on one target after another. An error of one does not prevent the others. */
export async function planTargets(
  context: Pick<RunContext, "signal">,
  parts: readonly TargetPart[],
  { lifeSeconds }: Pick<PlanRequest, "lifeSeconds">,
  plan: (part: TargetPart) => Promise<PlanResult>,
): Promise<PlansOfTargets> {
  const { done, failed, errors } = await onEachTarget(context, parts, plan);
  const plans = done.map(({ target, value }) => ({ target, ...value }));
  const files = plans.flatMap(({ file }) => file ?? []);
  return {
    plans,
    failed,
    errors,
    isEmpty: plans.every(({ isEmpty }) => isEmpty),
    isBlocked: plans.some(({ isBlocked }) => isBlocked),
    isPartial: plans.some(({ isPartial }) => isPartial),
    ...(lifeSeconds !== undefined && { file: planSet(files, failed) }),
  };
}
