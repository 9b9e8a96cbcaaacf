import { randomUUID } from "node:crypto";
import { readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "./make-folder.ts";

/** A text in a temporary file beside its destination. */
export interface PartFile {
  /** The destination; of a symbolic link, the file that it leads to. */
  readonly path: string;
  readonly part: string;
}

/**
 * Writes a text beside its destination, so that a rename replaces the file at once. Symbolic links are followed. With
 * `flush`, it is forced to the disk. @throws the errors of the file system, or an error that says why; nothing is left
 */
export function writePart(path: string, text: string | Uint8Array, flush: boolean): PartFile {
  makeFolder(dirname(path));
  const before = statSync(path, { throwIfNoEntry: false });
  if (before && !before.isFile()) throw new Error("it exists and is not a regular file");
  const target = before ? realpathSync(path) : path;
  // A long name with these additions might be too long for the file system.
  const part = join(dirname(target), `.${basename(target).slice(0, 60)}.${randomUUID()}.part`);
  try {
    writeFileSync(part, text, { flush, ...(before && { mode: before.mode }) });
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  return { path: target, part };
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
