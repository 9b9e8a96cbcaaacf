import { chmodSync, closeSync, constants, lstatSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { makeFolder } from "../../formats/make-folder.ts";

/**
 * Makes a database file that only this user can read, with the folders above it where they are missing. SQLite gives the
 * files beside it the same mode. Files that are there already are closed to others; their folder is left as it is.
 * @throws {ProblemError} `store-link` where a symbolic link stands in the place of one of these files: what the server stores
 * would go wherever somebody else has made it point
 */
export function makePrivateFile(path: string): void {
  makeFolder(dirname(path), 0o700);
  const files = ["", "-wal", "-shm", "-journal"].map((suffix) => path + suffix);
  for (const file of files) {
    if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) continue;
    const summary = `cannot open the database ${path}: ${file} is a symbolic link`;
    const fix = "Remove the link, or name the folder that holds the real file with --data.";
    throw new ProblemError(problem("store-link", summary, { fix }));
  }
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;
    closeSync(openSync(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR, 0o600));
  }
  for (const file of files) closeToOthers(file);
}

function closeToOthers(file: string): void {
  const stands = lstatSync(file, { throwIfNoEntry: false });
  if (!stands?.isFile() || (stands.mode & 0o077) === 0) return;
  try {
    chmodSync(file, 0o600);
  } catch {
    // It is another user's, who decides who may read it; or SQLite in another process has just removed it.
  }
}
