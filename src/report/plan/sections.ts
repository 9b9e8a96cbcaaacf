import { isEmpty } from "../../planner/changes/change.ts";
import { digestTargets } from "../../planner/changes/digests.ts";
import { digestPlan } from "../../planner/changes/effects.ts";
import type { FailedTarget } from "../../planner/plan-file/plan-set.ts";
import type { PlanReport } from "../../workflow/plan/plan-report.ts";
import { planText } from "./text.ts";

/** The plan of a target. */
export interface TargetPlan {
  readonly target: string;
  readonly report: PlanReport;
}

/** The plans of several targets. */
export interface TargetPlans {
  readonly plans: readonly TargetPlan[];
  /** The targets that could not be planned. */
  readonly failed: readonly FailedTarget[];
  /** The plans by their texts. */
  readonly sections: readonly PlanSection[];
}

/** What a report shows: the plan of a project with at most one target, or those of several. */
export type Planned = PlanReport | TargetPlans;

/** A plan, and where it applies. */
export interface PlanSection {
  readonly report: PlanReport;
  /** The targets with this plan, as the end of a heading: ` on public, office`; empty for a project with at most one. */
  readonly on: string;
}

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

export function isOfTargets(planned: Planned): planned is TargetPlans {
  return "sections" in planned;
}

export function sectionsOf(planned: Planned): readonly PlanSection[] {
  return isOfTargets(planned) ? planned.sections : [{ report: planned, on: "" }];
}

/** The targets that could not be planned, each as a section. */
export function failedOf(planned: Planned): readonly FailedTarget[] {
  return isOfTargets(planned) ? planned.failed : [];
}

/** The digest of all effects. */
export function digestPlanned(planned: Planned): string {
  if (!isOfTargets(planned)) return digestPlan(planned.plan);
  return digestTargets(planned.plans.map(({ target, report }) => ({ target, digest: digestPlan(report.plan) })));
}

/** The number of targets whose plans have changes. */
export function countChanging({ plans }: Pick<TargetPlans, "plans">): number {
  return plans.filter(({ report }) => !isEmpty(report.plan)).length;
}
