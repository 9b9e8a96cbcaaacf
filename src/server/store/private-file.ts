import { chmodSync, closeSync, constants, lstatSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { advise } from "../../diagnostics/advice.ts";
import { problemError } from "../../diagnostics/problem.ts";
import { makeFolder } from "../../file-system.ts";

/**
 * Creates a database file that only this user can read, and missing folders above it. SQLite gives the files beside it
 * the same mode. Existing files are made private too; their folder is left as it is.
 * @throws {ProblemError} `store-link` if one of these files is a symbolic link, which could redirect the data to a
 * place that another user chose
 */
export function makePrivateFile(path: string): void {
  makeFolder(dirname(path), 0o700);
  const files = ["", "-wal", "-shm", "-journal"].map((suffix) => path + suffix);
  for (const file of files) {
    if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) continue;
    const summary = `cannot open the database ${path}: ${file} is a symbolic link`;
    const fix = advise`Remove the link, or name the folder that contains the real file with ${{ set: "data" }}.`;
    throw problemError("store-link", summary, { fix });
  }
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;
    closeSync(openSync(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR, 0o600));
  }
  for (const file of files) restrictToOwner(file);
}

/** Takes a file from other users, if it belongs to this one. */
export function restrictToOwner(file: string): void {
  const stands = lstatSync(file, { throwIfNoEntry: false });
  if (!stands?.isFile() || (stands.mode & 0o077) === 0) return;
  try {
    chmodSync(file, 0o600);
  } catch {
    // It belongs to another user, who decides who may read it, or SQLite in another process has just removed it.
  }
}
