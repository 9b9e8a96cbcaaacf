import { count } from "../diagnostics/plain.ts";
import type { PlanReport } from "../workflow/plan-report.ts";
import { type PlacedChanges, placeChanges } from "./plan-places.ts";
import { type Annotation, annotationCommand } from "./workflow-command.ts";

/** GitHub shows at most ten annotations of each level per step. */
const mostPerLevel = 10;

/** The changes of a plan as workflow commands of GitHub Actions, which shows them at the lines that cause them. */
export function planNotices(report: Pick<PlanReport, "plan" | "guards">): string {
  return planAnnotations(report).map(annotationCommand).join("");
}

/**
 * An annotation for each line of a file that causes changes: a notice, or a warning where a guard blocks a change.
 * Blocked changes come first, then deletions, gaps and swaps; what exceeds the number that GitHub shows is counted.
 */
export function planAnnotations(report: Pick<PlanReport, "plan" | "guards">, most = mostPerLevel): Annotation[] {
  const all = placeChanges(report)
    .map((changes, index) => ({ changes, index }))
    .sort((a, b) => rank(a.changes) - rank(b.changes) || a.index - b.index)
    .map(({ changes }) => changes);
  const blocked = all.filter(({ isBlocked }) => isBlocked);
  const others = all.filter(({ isBlocked }) => !isBlocked);
  return [...limit(blocked.map(annotation), "warning", most), ...limit(others.map(annotation), "notice", most)];
}

function annotation({ place, isBlocked, title, text }: PlacedChanges): Annotation {
  return { level: isBlocked ? "warning" : "notice", title: `zonewright plan: ${title}`, message: text, place };
}

/** The first annotations; the last one counts those that are left out. */
function limit(all: readonly Annotation[], level: Annotation["level"], most: number): Annotation[] {
  if (all.length <= most) return [...all];
  const left = all.length - (most - 1);
  const message = `${count(left, "more line")} of zone files with planned changes; the report of the plan has all changes`;
  return [...all.slice(0, most - 1), { level, title: "zonewright plan: more changes", message }];
}

function rank({ isBlocked, hasGap, counts }: PlacedChanges): number {
  if (isBlocked) return 0;
  if (counts.delete > 0) return 1;
  if (hasGap || counts.swap > 0) return 2;
  return counts.change > 0 ? 3 : 4;
}
