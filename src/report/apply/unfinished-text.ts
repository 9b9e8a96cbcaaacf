import type { Run } from "../../executor/journal/runs.ts";
import { continueCommand, leavingOf, writesText } from "../../workflow/apply/runs.ts";

/**
 * A line about the last run, which was interrupted or failed, and the commands that continue or revert it; undefined if
 * nothing can, because its domains left the account.
 */
export function unfinishedText(run: Run): string | undefined {
  const { id, undoes } = run;
  const done = `(${writesText(run)})`;
  const leaving = leavingOf(run);
  if (leaving === "all") return undefined;
  const next = `continue it with \`${continueCommand({ ...run, leaving })}\``;
  if (undoes === undefined)
    return `run ${id} is not finished ${done}: ${next}, or revert it with \`zonewright undo ${id}\`\n`;
  return `run ${id}, an undo of run ${undoes}, is not finished ${done}: ${next}; plain \`zonewright apply\` applies the zone files instead\n`;
}
