import { count } from "../../diagnostics/quantities.ts";
import { isEmpty } from "../../planner/changes/change.ts";
import { digestJson } from "../../planner/changes/digests.ts";
import { digestPlan } from "../../planner/changes/effects.ts";
import type { PlanReport } from "../../workflow/plan/plan-report.ts";
import { palette, type Style } from "../text/palette.ts";
import { type PlanView, planText } from "./text.ts";

/** The plan of a target. */
export interface TargetPlan {
  readonly target: string;
  readonly report: PlanReport;
}

/** The plans of several targets; those that all have the same text are one section: `on public, office`. */
export function targetPlansText(plans: readonly TargetPlan[], style: Style, view?: PlanView): string {
  const sections = new Map<string, string[]>();
  for (const { target, report } of plans) {
    const text = planText(report, style, view);
    sections.set(text, [...(sections.get(text) ?? []), target]);
  }
  const { bold } = palette(style);
  const texts = [...sections].map(([text, targets]) => `${bold(`on ${targets.join(", ")}`)}\n${text}`);
  return [...texts, totalText(plans)].filter(Boolean).join("\n");
}

/** The digest of the effects on all targets; empty if there are none. */
function totalText(plans: readonly TargetPlan[]): string {
  const changing = plans.filter(({ report }) => !isEmpty(report.plan));
  if (changing.length === 0) return "";
  const parts = changing.map(({ target, report }) => [target, digestPlan(report.plan)]);
  const digest = digestJson(parts.sort());
  return `changes on ${changing.length} of ${count(plans.length, "target")}, effects ${digest.slice(0, 8)}\n`;
}
