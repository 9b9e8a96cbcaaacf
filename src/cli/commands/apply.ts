import { listRuns } from "../../executor/runs.ts";
import { type AdmissionOptions, toApply } from "../admission.ts";
import { beforePlan, type CarryOutOptions, carryOut, stateFolder } from "../carry-out.ts";
import { withClient } from "../connect.ts";
import type { Context } from "../context.ts";
import { type ExitCode, UsageError } from "../exit-code.ts";
import { refusal } from "../project.ts";

export interface ApplyOptions extends AdmissionOptions, CarryOutOptions {
  readonly resume?: boolean;
}

/** `zonewright apply`: plan, ask, write, read back. With `--resume`, the zones of the last run, which did not get done. */
export async function apply(context: Context, args: readonly string[], options: ApplyOptions): Promise<ExitCode> {
  if (options.resume && args.length > 0) throw new UsageError("--resume takes the zones of the last run: name none.");
  const zones = options.resume ? lastZones(context, options) : args;
  return withClient(context, options, async (client, api) => {
    const resumes = await beforePlan(context, client, options);
    const { origin, ...report } = await toApply(context, client, zones, options);
    const about = { api, ...origin, ...(resumes.length > 0 && { resumes: [...resumes] }) };
    return carryOut(context, client, report, options, about);
  });
}

function lastZones(context: Context, options: ApplyOptions): string[] {
  const last = listRuns(stateFolder(context, options)).at(-1);
  if (last !== undefined && last.state !== "done") return last.zones.map((zone) => zone.slice(0, -1));
  const why = last === undefined ? "there is no run yet" : `the last run, ${last.id}, is done`;
  throw refusal("run-unknown", `nothing is to be resumed: ${why}`, "Run apply without --resume.");
}
