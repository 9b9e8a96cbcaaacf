import { lstatSync, mkdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Reads a regular file, or what a shell passes to a command, as `<(command)` does. Other files are rejected: reading a
 * pipe or a device may never end, and blocks even the signals that would end the program. @throws the errors of `stat`
 * and `readFile`, or an error that names the kind of the file or its size, if it has more bytes than `largest`
 */
export function readRegularFile(path: string, largest = Number.POSITIVE_INFINITY): Buffer {
  const stats = statSync(path);
  if (stats.size > largest) throw new Error(`it has ${stats.size} bytes; the limit is ${largest}`);
  if (!stats.isFile() && !passed.test(path)) throw new Error(`it is ${kindOf(stats)}`);
  return readFileSync(path);
}

/**
 * Reads a regular file; undefined if nothing has this name. @throws the errors of `readRegularFile`, and an error for a
 * link to a missing file, whose contents are expected
 */
export function readIfPresent(path: string): Buffer | undefined {
  try {
    return readRegularFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTDIR") return undefined;
    if (code !== "ENOENT") throw error;
    if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
    throw new Error("it is a link to a file that does not exist");
  }
}

/**
 * The kind and size of a file; undefined if nothing has this name. A name that is too long for the file system, as an
 * argument that is no path may be, names nothing. @throws the other errors of `stat`
 */
export function statIfPresent(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENAMETOOLONG") return undefined;
    throw error;
  }
}

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

const passed = /^(?:\/dev\/(?:null|stdin|fd\/\d+)|\/proc\/(?:self|\d+)\/fd\/\d+)$/;

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a named pipe";
  return stats.isSocket() ? "a socket" : "a device";
}
