import { inWordsOf } from "../../diagnostics/advice.ts";
import type { Run } from "../../executor/journal/runs.ts";
import { continueCommand, writesText, zonesToLeave } from "../../workflow/apply/runs.ts";

/**
 * A line about the last run, which was interrupted or failed, and the commands that continue or revert it; undefined if
 * nothing can, because its domains left the account.
 */
export function unfinishedText(run: Run): string | undefined {
  const { id, undoes } = run;
  const done = `(${writesText(run)})`;
  const leaving = zonesToLeave(run);
  if (leaving === "all") return undefined;
  const words = inWordsOf("cli");
  const next = continueCommand({ ...run, leaving });
  if (run.isChanged && undoes === undefined)
    return words`run ${id} is not finished ${done}, because someone else changed its records: review a new plan with ${next}, or revert the run with ${{ run: "undo", args: [id] }}\n`;
  if (undoes === undefined)
    return words`run ${id} is not finished ${done}: continue it with ${next}, or revert it with ${{ run: "undo", args: [id] }}\n`;
  return words`run ${id}, an undo of run ${undoes}, is not finished ${done}: continue it with ${next}; plain ${{ run: "apply" }} applies the zone files instead\n`;
}
