import { chmodSync, closeSync, constants, lstatSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Refusal } from "../../diagnostics/diagnostic.ts";

/**
 * Makes a database file that only this user can read, with the folders above it where they are missing. SQLite gives the
 * files beside it the same mode. A file that is there already is closed to others; its folder is left as it is.
 * @throws {Refusal} `store-link` where a symbolic link stands in the place of one of these files: what the server stores
 * would go wherever somebody else has made it point
 */
export function makePrivateFile(path: string): void {
  makeFolder(dirname(path));
  for (const file of ["", "-wal", "-shm", "-journal"].map((suffix) => path + suffix)) {
    if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) continue;
    const summary = `cannot open the database ${path}: ${file} is a symbolic link`;
    const fix = "Remove the link, or name the folder that holds the real file with --data.";
    throw new Refusal([{ severity: "error", rule: "store-link", summary, fix }]);
  }
  const stands = lstatSync(path, { throwIfNoEntry: false });
  if (stands === undefined) {
    const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;
    closeSync(openSync(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR, 0o600));
  } else if (stands.isFile() && (stands.mode & 0o077) !== 0) {
    try {
      chmodSync(path, 0o600);
    } catch {
      // It is another user's, who decides who may read it.
    }
  }
}

/** Not `recursive`: Node 20 never comes back from a folder that the system refuses with ENOENT, as below /proc. */
function makeFolder(path: string): void {
  const stands = statSync(path, { throwIfNoEntry: false });
  if (stands?.isDirectory()) return;
  if (stands) throw new Error("a file stands where a folder should be");
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
