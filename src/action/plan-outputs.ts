import { digestPlan } from "../planner/changes/effects.ts";
import { changesOf, countLines } from "../report/plan/changes.ts";
import { palette } from "../report/text/palette.ts";
import { artifactName } from "../workflow/plan/approved-pulls.ts";
import type { PlanReport } from "../workflow/plan/plan-report.ts";
import type { Outputs } from "./outputs.ts";

/** The digest and the counts of a plan. */
export function planOutputs(report: PlanReport): Outputs {
  const { zones } = changesOf(report, palette({ color: false, unicode: true }));
  const lines = zones.flatMap((zone) => zone.lines);
  const digest = digestPlan(report.plan);
  return {
    "effect-digest": digest,
    "artifact-name": artifactName(digest),
    creates: `${countLines(lines, "create")}`,
    changes: `${countLines(lines, "change") + countLines(lines, "swap")}`,
    deletes: `${countLines(lines, "delete")}`,
    zones: `${zones.length}`,
    "needs-approval": `${isBlocked(report)}`,
  };
}

export function isBlocked({ guards }: PlanReport): boolean {
  return guards.some(({ state }) => state === "blocked");
}
