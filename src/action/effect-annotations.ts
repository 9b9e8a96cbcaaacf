import { type PlacedChanges, placeChanges } from "../report/plan-places.ts";
import type { Annotation } from "../report/workflow-command.ts";
import type { PlanReport } from "../workflow/plan-report.ts";

/** The changes of a plan at the lines that cause them: deletions first, then gaps, changes and creates. */
export function effectAnnotations(report: PlanReport): Annotation[] {
  return placeChanges(report)
    .toSorted((a, b) => weightOf(a) - weightOf(b))
    .map(({ title, text, place }) => ({ level: "notice", title, message: text, place }));
}

function weightOf({ counts, hasGap }: PlacedChanges): number {
  if (counts.delete > 0) return 0;
  if (hasGap) return 1;
  return counts.change + counts.swap > 0 ? 2 : 3;
}
