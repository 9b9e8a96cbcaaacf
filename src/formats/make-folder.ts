import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder, and those above it that are missing, with a mode that `umask` may narrow. Tells whether it had to.
 * Not `mkdir` with `recursive`: Node 20 never comes back from a folder that the system refuses with ENOENT, as below
 * /proc.
 * @throws what `mkdir` throws
 */
export function makeFolder(path: string, mode?: number): boolean {
  const stands = statSync(path, { throwIfNoEntry: false });
  if (stands?.isDirectory()) return false;
  if (stands) throw new Error("a file stands where a folder should be");
  makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it in between.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
  return true;
}
