import { count } from "../diagnostics/plain.ts";
import type { Run } from "../executor/runs.ts";
import { continueCommand, leavingOf } from "../workflow/runs.ts";

/** A line about the last run, which was interrupted or failed, and the commands that continue or revert it. */
export function unfinishedText(run: Run): string {
  const { id, undoes, written, writes } = run;
  const done = `(${written} of ${count(writes, "write")})`;
  const leaving = leavingOf(run);
  const command = `\`${continueCommand({ ...run, leaving })}\``;
  if (leaving === "all")
    return `run ${id} is not finished ${done}: its domains left the account; make a new plan with ${command}\n`;
  const next = `continue it with ${command}`;
  if (undoes === undefined)
    return `run ${id} is not finished ${done}: ${next}, or revert it with \`zonewright undo ${id}\`\n`;
  return `run ${id}, an undo of run ${undoes}, is not finished ${done}: ${next}; plain \`zonewright apply\` applies the zone files instead\n`;
}
