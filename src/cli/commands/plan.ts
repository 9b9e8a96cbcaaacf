import type { Client } from "../../client/client.ts";
import { countWrites } from "../../executor/writes.ts";
import type { Plan } from "../../planner/change.ts";
import { plan as makePlan } from "../../planner/plan.ts";
import { isRecordLimit } from "../../provider/limits.ts";
import { readLive } from "../../provider/live.ts";
import { planJson } from "../../report/plan-json.ts";
import { type PlanReport, planText } from "../../report/plan-text.ts";
import { type ApiOptions, withClient } from "../connect.ts";
import type { Context } from "../context.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { desiredZones } from "../zones.ts";

export interface PlanOptions extends ApiOptions {
  readonly report: "text" | "json";
  readonly detailedExitcode?: boolean;
}

/** `zonewright plan`: what apply would write. */
export async function plan(context: Context, args: readonly string[], options: PlanOptions): Promise<ExitCode> {
  const report = await withClient(context, options, (client) => planned(context, client, args, options));
  context.out(options.report === "json" ? planJson(report) : planText(report, context.outStyle));
  return options.detailedExitcode && report.plan.zones.length > 0 ? exitCode.differences : exitCode.done;
}

/** Reads files and live zones and compares them. With zones named, the others do not count as unmanaged. */
export async function planned(
  context: Context,
  client: Client,
  args: readonly string[],
  options: ApiOptions,
): Promise<PlanReport> {
  const { desired, notes } = desiredZones(context, options, args);
  const names = new Set(desired.map(({ name }) => name.toLowerCase()));
  const live = await readLive(client, (name) => names.has(name), context);
  const plan = makePlan(desired, live.zones, args.length === 0 ? live.others : []);
  return { plan, notes: notesOf(plan, notes), writes: totalWrites(plan) };
}

function totalWrites({ zones }: Plan): number {
  return zones.reduce((sum, zone) => sum + countWrites(zone), 0);
}

/**
 * Notes, and what is not sent. Those about what is in sync were said when it was planned first; what is of no zone is said
 * each time.
 */
function notesOf({ zones }: Plan, notes: PlanReport["notes"]): PlanReport["notes"] {
  const files = new Set(zones.map(({ zone }) => zone.file));
  return notes.filter(
    ({ severity, rule, at }) =>
      (severity === "note" || isRecordLimit(rule)) && (at === undefined || files.has(at.file)),
  );
}
