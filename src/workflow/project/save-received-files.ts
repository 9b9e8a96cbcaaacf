import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { advise } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { ProblemError, problemError } from "../../diagnostics/problem.ts";
import { makeFolder } from "../../file-system.ts";
import { fileErrorReason } from "../../formats/files.ts";
import { baseName, nameProblem } from "../../server/areas/support/rows/file-name.ts";
import { writeNewFiles } from "./files.ts";
import type { RunContext } from "./run-context.ts";

/**
 * Saves files that users of the server sent, by their names: in a folder that is not a link, and never in the place of
 * something else. A new folder is private to its owner.
 * @throws {ProblemError} `ticket-file`, `file-exists`, `file-write`; then nothing is saved
 */
export async function saveReceivedFiles(
  context: RunContext,
  folder: string,
  contents: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  if (contents.size === 0) return;
  const path = resolve(context.cwd, folder);
  const fix = advise`Name a folder that this user may write with ${{ set: "out" }}.`;
  try {
    for (const name of contents.keys()) requireUnused(path, folder, name);
    makeFolder(path, 0o700);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    const summary = `${escapeControl(folder)} cannot be created: ${fileErrorReason(error)}`;
    throw problemError("file-write", summary, { fix });
  }
  const wanted = [...contents].map(([name, text]) => ({ file: join(folder, name), text }));
  await writeNewFiles(context, wanted, fix);
}

function requireUnused(path: string, folder: string, name: string): void {
  const fix = advise`Name another folder with ${{ set: "out" }}.`;
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw problemError("ticket-file", `${escapeControl(folder)} is a symbolic link`, { fix });
  if (name !== baseName(name) || nameProblem(name) !== undefined)
    throw problemError("ticket-file", `"${escapeControl(name)}" is not the name of a file`);
  if (lstatSync(join(path, name), { throwIfNoEntry: false }))
    throw problemError("file-exists", `${escapeControl(join(folder, name))} already exists`, { fix });
}
