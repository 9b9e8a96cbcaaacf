import { escapeControl } from "../../diagnostics/escape.ts";
import { count } from "../../diagnostics/quantities.ts";
import { isEmpty } from "../../planner/changes/change.ts";
import type { PlanReport } from "../../workflow/plan/plan-report.ts";
import { wrap } from "../text/columns.ts";
import { type Palette, palette, type Style } from "../text/palette.ts";
import { shareTexts } from "../text/shared-items.ts";
import { changingTargets, digestPlanned, namesOfTargets, type TargetPlans } from "./sections.ts";
import { sharedChanges, shownChanges } from "./shared-changes.ts";
import { differenceTexts, sharedNotes } from "./shared-notes.ts";
import { skippedTexts } from "./skipped.ts";
import {
  changeLines,
  costText,
  countChanges,
  effectParts,
  fittedWidth,
  noteLines,
  type PlanView,
  setsText,
  unaffectedLines,
} from "./text.ts";

/**
 * The plans of several targets as one: each zone with the targets that change it, each change once, with its targets if
 * not all of these have it. A total for each target follows, and one for all.
 */
export function targetPlansText(
  planned: TargetPlans,
  style: Style,
  { next, ...view }: PlanView & { readonly next?: string | undefined } = {},
): string {
  const { plans } = planned;
  const colors = palette(style);
  const targets = namesOfTargets(planned);
  const until = plans[0]?.report.ackUntil ?? "";
  const { lines, more } = changeLines(sharedChanges(plans, targets, colors), until, colors, view);
  const unaffected = plans.map(({ target, report }) => ({ target, items: unaffectedLines(report.plan, colors) }));
  const texts = [
    ...noteLines(sharedNotes(planned), colors.door),
    ...differenceTexts(planned, setsText),
    ...shareTexts(unaffected, targets),
    ...more,
    ...plans.map(({ target, report }) => `${colors.bold(`on ${target}`)}: ${totalOf(report, colors)}`),
  ];
  const end = [...totalLines(planned), ...(next === undefined ? [] : [`next: ${escapeControl(next)}`])];
  const fitted = (lines: readonly string[]) => lines.flatMap((line) => wrap(line, fittedWidth(view), 2));
  return [...lines, ...fitted(texts), ...(end.length > 0 ? ["", ...fitted(end)] : [])]
    .map((line) => `${line}\n`)
    .join("");
}

/** The effects on a target and the requests, on one line. */
function totalOf(report: PlanReport, colors: Palette): string {
  const { inSync } = report.plan;
  if (isEmpty(report.plan))
    return [`${count(inSync, "zone")} in sync, nothing to do`, ...skippedTexts(report)].join("; ");
  const changes = countChanges(shownChanges(report, colors));
  return [...effectParts(report, changes), costText(report)].join(` ${colors.dot} `);
}

/** The digest of the effects on all targets; none if there are none. */
function totalLines(planned: TargetPlans): string[] {
  const changing = changingTargets(planned);
  if (changing === undefined) return [];
  return [`changes on ${changing}, effects ${digestPlanned(planned).slice(0, 8)}`];
}
