import { type Annotation, annotationOf } from "../report/format/workflow-command.ts";
import { type PlacedChanges, placeChanges } from "../report/plan/places.ts";
import type { Planned, PlanSection } from "../report/plan/sections.ts";
import { sectionsOf } from "../report/text/on-targets.ts";
import { blockedProblems } from "../workflow/apply/apply.ts";
import { isBlocked } from "./plan-outputs.ts";

/**
 * Missing approvals, then the changes of a plan at the lines that cause them: deletions first, then gaps, changes and
 * creates.
 */
export function effectAnnotations(planned: Planned): Annotation[] {
  return sectionsOf(planned).flatMap(annotationsOf);
}

function annotationsOf({ report, on }: PlanSection): Annotation[] {
  const placed = placeChanges(report);
  // One approval may be missing in many lines; the first of them shows it.
  const place = placed.find((one) => one.isBlocked)?.place;
  const missing = isBlocked(report) ? blockedProblems(report) : [];
  return [
    ...missing.map((one) => ({ ...annotationOf(one, "action"), place })),
    ...placed
      .toSorted((a, b) => weightOf(a) - weightOf(b))
      .map(({ title, text, place }): Annotation => ({ level: "notice", title: `${title}${on}`, message: text, place })),
  ];
}

function weightOf({ counts, hasGap }: PlacedChanges): number {
  if (counts.delete > 0) return 0;
  if (hasGap) return 1;
  return counts.change + counts.swap > 0 ? 2 : 3;
}
