import { count } from "../../diagnostics/quantities.ts";
import { isEmpty } from "../../planner/changes/change.ts";
import { digestTargets } from "../../planner/changes/digests.ts";
import { digestPlan } from "../../planner/changes/effects.ts";
import type { FailedTarget } from "../../planner/plan-file/plan-set.ts";
import type { PlanReport } from "../../workflow/plan/plan-report.ts";
import { isOfTargets, type OfTargets, type TargetSection } from "../text/on-targets.ts";
import type { TargetPlan } from "./shared-changes.ts";
import { planText } from "./text.ts";

/** The plans of several targets; `sections` are for reports that do not show each change once. */
export interface TargetPlans extends OfTargets<PlanReport> {
  readonly plans: readonly TargetPlan[];
}

/** The content of a report: the plan of a project with at most one target, or those of several. */
export type Planned = PlanReport | TargetPlans;

export type PlanSection = TargetSection<PlanReport>;

/** Puts the plans of targets that change alike, which have the same text, into one section. */
export function targetPlans(plans: readonly TargetPlan[], failed: readonly FailedTarget[] = []): TargetPlans {
  const alike = new Map<string, { report: PlanReport; names: string[] }>();
  for (const { target, report } of plans) {
    const text = planText(report, { color: false, unicode: true });
    const section = alike.get(text);
    if (section) section.names.push(target);
    else alike.set(text, { report, names: [target] });
  }
  const sections = [...alike.values()].map(({ report, names }) => ({ report, on: ` on ${names.join(", ")}` }));
  return { plans, failed, sections };
}

/** The names of all targets, also of those that could not be planned. */
export function namesOfTargets({ plans, failed }: Pick<TargetPlans, "plans" | "failed">): string[] {
  return [...plans, ...failed].map(({ target }) => target);
}

/** The digest of all effects. */
export function digestPlanned(planned: Planned): string {
  if (!isOfTargets<TargetPlans>(planned)) return digestPlan(planned.plan);
  return digestTargets(planned.plans.map(({ target, report }) => ({ target, digest: digestPlan(report.plan) })));
}

/** The number of targets with changes, as `1 of 2 targets`; undefined if none has. */
export function changingTargets({ plans, failed }: Pick<TargetPlans, "plans" | "failed">): string | undefined {
  const changing = plans.filter(({ report }) => !isEmpty(report.plan)).length;
  return changing === 0 ? undefined : `${changing} of ${count(plans.length + failed.length, "target")}`;
}
