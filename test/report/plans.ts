import type { DesiredZone, LiveZone } from "../../src/dns/desired-live.ts";
import { asName, nameKey } from "../../src/dns/name.ts";
import { forecast } from "../../src/executor/forecast.ts";
import type { PlanReport } from "../../src/workflow/plan-report.ts";
import { plan } from "../planner/plan-now.ts";

/** The report of what takes the live zones to the desired ones. */
export function reportOf(
  desired: readonly DesiredZone[],
  live: readonly LiveZone[] = [],
  rest: {
    unmanaged?: readonly string[];
    limit?: PlanReport["limit"];
    notes?: PlanReport["notes"];
    guards?: PlanReport["guards"];
  } = {},
): PlanReport {
  const stored = new Map(live.map((zone) => [nameKey(zone.name), zone]));
  const made = plan(desired, stored, { unmanaged: rest.unmanaged?.map(asName) ?? [] });
  const { reads: applyReads, writes } = forecast(made, stored, { recordsPerRead: 1000 });
  const { notes = [], guards = [] } = rest;
  return {
    plan: made,
    notes,
    guards,
    ackUntil: "2027-01-31",
    reads: 2,
    writes,
    applyReads,
    limit: rest.limit ?? 2_000,
  };
}

/** Output as a block of a test: without the first line end, and without the indent of the first line. */
export function block([text = ""]: TemplateStringsArray): string {
  const lines = text.replace(/^\n/, "").replace(/ *$/, "").split("\n");
  const indent = /^ */.exec(lines[0] ?? "")?.[0].length ?? 0;
  return lines.map((line) => line.slice(indent)).join("\n");
}
