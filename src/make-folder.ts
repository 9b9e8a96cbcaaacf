import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder and its missing parents, with a mode that `umask` may restrict. Returns whether it was created. Not
 * `mkdir` with `recursive`: Node 20 never returns if the system fails with ENOENT, for example below /proc. @throws the
 * errors of `mkdir`
 */
export function makeFolder(path: string, mode?: number): boolean {
  const stands = statSync(path, { throwIfNoEntry: false });
  if (stands?.isDirectory()) return false;
  if (stands) throw new Error("a file is in the place of a folder");
  makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
  return true;
}
