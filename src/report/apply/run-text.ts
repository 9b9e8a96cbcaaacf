import { count, plain } from "../../diagnostics/plain.ts";
import type { RunResult } from "../../workflow/apply/run-plan.ts";

/** How a run of a plan ended, as a sentence without its full stop. */
export function runText({ zones, done, differing, errors, isInterrupted }: RunResult): string {
  if (isInterrupted) return `interrupted: ${done} of ${count(zones, "zone")} done`;
  if (errors.length > 0) return `${errors.length} of ${count(zones, "zone")} failed`;
  if (differing.length > 0) {
    const names = differing.map((zone) => plain(zone.slice(0, -1))).join(", ");
    const differ = differing.length === 1 ? "differs" : "differ";
    return `applied, but ${names} ${differ} from the plan when read back: someone else may be writing`;
  }
  return `applied and verified: ${count(zones, "zone")} ${zones === 1 ? "is" : "are"} as planned`;
}
