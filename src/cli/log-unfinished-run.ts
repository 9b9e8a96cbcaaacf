import { existsSync } from "node:fs";
import type { Project } from "../workflow/project/project.ts";
import { stateFolder } from "../workflow/project/state-folder.ts";
import type { Terminal } from "./terminal.ts";

/** Names the last run if it is not finished, so that a killed one is not overlooked. One in progress holds the lock. */
export async function logUnfinishedRun(terminal: Terminal, project: Project): Promise<void> {
  const folder = stateFolder(project);
  if (!existsSync(folder)) return; // the first plan of a project loads nothing for this
  const { findUnfinishedRun } = await import("../executor/journal/runs.ts");
  const run = findUnfinishedRun(folder);
  if (!run) return;
  const { isLocked } = await import("../executor/journal/lock.ts");
  const { lockOwnerOf } = await import("../workflow/apply/run-plan.ts");
  if (isLocked(folder, lockOwnerOf(terminal))) return;
  const text = (await import("../report/apply/unfinished-text.ts")).unfinishedText(run);
  if (text !== undefined) terminal.log(text);
}
