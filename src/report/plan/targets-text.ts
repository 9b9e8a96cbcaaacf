import { escapeControl } from "../../diagnostics/escape.ts";
import { count } from "../../diagnostics/quantities.ts";
import { palette, type Style } from "../text/palette.ts";
import { countChanging, digestPlanned, type TargetPlans } from "./sections.ts";
import { type PlanView, planText } from "./text.ts";

/** The plans of several targets; those that have the same text are one section: `on public, office`. */
export function targetPlansText(
  planned: TargetPlans,
  style: Style,
  { next, ...view }: PlanView & { readonly next?: string | undefined } = {},
): string {
  const { bold } = palette(style);
  const texts = planned.sections.map(({ report, on }) => `${bold(on.trim())}\n${planText(report, style, view)}`);
  const end = next === undefined ? "" : `next: ${escapeControl(next)}\n`;
  return [...texts, totalText(planned) + end].filter(Boolean).join("\n");
}

/** The digest of the effects on all targets; empty if there are none. */
function totalText(planned: TargetPlans): string {
  const changing = countChanging(planned);
  if (changing === 0) return "";
  const all = count(planned.plans.length, "target");
  return `changes on ${changing} of ${all}, effects ${digestPlanned(planned).slice(0, 8)}\n`;
}
