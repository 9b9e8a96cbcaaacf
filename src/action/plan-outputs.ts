import { changesOf, countLines } from "../report/plan/changes.ts";
import { digestPlanned, type Planned, type TargetPlans } from "../report/plan/sections.ts";
import { isOfTargets } from "../report/text/on-targets.ts";
import { palette } from "../report/text/palette.ts";
import { artifactName } from "../workflow/plan/approved-pulls.ts";
import type { PlanReport } from "../workflow/plan/plan-report.ts";
import type { Outputs } from "./outputs.ts";

/** The digest and the counts of a plan, or of those of several targets, where each counts its own changes. */
export function planOutputs(planned: Planned): Outputs {
  const reports = isOfTargets<TargetPlans>(planned) ? planned.plans.map(({ report }) => report) : [planned];
  const zones = reports.flatMap((report) => changesOf(report, palette({ color: false, unicode: true })).zones);
  const lines = zones.flatMap((zone) => zone.lines);
  const digest = digestPlanned(planned);
  return {
    "effect-digest": digest,
    "artifact-name": artifactName(digest),
    creates: `${countLines(lines, "create")}`,
    changes: `${countLines(lines, "change") + countLines(lines, "swap")}`,
    deletes: `${countLines(lines, "delete")}`,
    zones: `${zones.length}`,
    "needs-approval": `${reports.some(isBlocked)}`,
  };
}

export function isBlocked({ guards }: PlanReport): boolean {
  return guards.some(({ state }) => state === "blocked");
}
