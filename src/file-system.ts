import { randomUUID } from "node:crypto";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

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
 * argument that is no path may be, names nothing, and neither does one in a folder that this user may not search:
 * reading it reports the error. @throws the other errors of `stat`
 */
export function statIfPresent(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENAMETOOLONG" || code === "EACCES") return undefined;
    throw error;
  }
}

/** Whether something may have this name: also if this user may not search its folder, so that reading it says so. */
export function mayExist(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES";
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

/** A text in a temporary file beside its destination. */
export interface PartFile {
  /** The destination; of a symbolic link, the file that it leads to. */
  readonly path: string;
  readonly part: string;
}

/**
 * Writes a text beside its destination, so that a rename replaces the file at once. Symbolic links are followed. The
 * new file has the mode of the one that it replaces, or of that at `like`, and its group if this user may set it. With
 * `flush`, it is forced to the disk. @throws the errors of the file system, or an error that says why; nothing is left
 */
export function writePart(path: string, text: string | Uint8Array, flush: boolean, like = path): PartFile {
  makeFolder(dirname(path));
  const before = statSync(path, { throwIfNoEntry: false });
  if (before && !before.isFile()) throw new Error("it exists and is not a regular file");
  const target = before ? realpathSync(path) : path;
  // A long name with these additions might be too long for the file system.
  const part = join(dirname(target), `.${basename(target).slice(0, 60)}.${randomUUID()}.part`);
  try {
    const model = like === path ? before : statSync(like, { throwIfNoEntry: false });
    // Until it has its group, only its owner may read it.
    writeFileSync(part, text, { flush, ...(model && { mode: model.mode & 0o700 }) });
    if (model) giveMode(part, model);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  return { path: target, part };
}

function giveMode(path: string, { mode, gid }: Stats): void {
  const now = statSync(path);
  if (now.gid !== gid) {
    try {
      chownSync(path, -1, gid);
    } catch (error) {
      // Some users, file systems and containers cannot set it.
      if (!/^(?:EPERM|EINVAL|ENOTSUP|EOPNOTSUPP|ENOSYS)$/.test(String((error as NodeJS.ErrnoException).code)))
        throw error;
    }
  }
  if (now.mode !== mode) chmodSync(path, mode & 0o7777); // whatever `umask` is
}

/** Removes temporary files that a killed process left in a folder; by default all. `before`: in milliseconds. */
export function removeParts(folder: string, before = Number.POSITIVE_INFINITY): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const parts = readdirSync(folder).filter((name) =>
    /^\..+\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/.test(name),
  );
  for (const part of parts) {
    const path = join(folder, part);
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < before) rmSync(path, { force: true });
  }
}
