import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { escapeControl } from "../../diagnostics/escape.ts";
import { problemError } from "../../diagnostics/problem.ts";
import { fileErrorReason } from "../../formats/files.ts";

/**
 * Makes a folder with this word in its name, for files that the caller removes with it.
 * @throws {ProblemError} `file-write`
 */
export function makeTemporaryFolder(word: string): string {
  const above = tmpdir();
  try {
    return mkdtempSync(join(above, `zonewright-${word}-`));
  } catch (error) {
    const fix = "Set TMPDIR to a folder in which you may write.";
    const summary = `no temporary folder can be made in ${escapeControl(above)}: ${fileErrorReason(error)}`;
    throw problemError("file-write", summary, { fix });
  }
}
