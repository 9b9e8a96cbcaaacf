import { isUtf8 } from "node:buffer";
import { linkSync, lstatSync, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import type { Fix } from "../../diagnostics/advice.ts";
import { problemError } from "../../diagnostics/problem.ts";
import type { Name } from "../../dns/name/name.ts";
import { type PartFile, readIfPresent, readRegularFile, writePart } from "../../file-system.ts";
import { fileErrorReason, fileName } from "../../formats/files.ts";
import { mapItems, type TaskContext } from "./progress.ts";
import type { RunContext } from "./run-context.ts";

/** The words of `--to`. */
export { formatNames } from "../../formats/readers.ts";

/**
 * Reads a text file, relative to the working folder.
 * @throws {ProblemError} `file-read`
 */
export function readText(cwd: string, file: string, fix?: ReadFix): string {
  return readFileOctets(cwd, file, fix).toString();
}

/**
 * Reads the octets of a file, relative to the working folder.
 * @throws {ProblemError} `file-read`
 */
export function readFileOctets(cwd: string, file: string, fix?: ReadFix): Buffer {
  return orProblem(file, fix, () => readRegularFile(resolve(cwd, file)));
}

/**
 * The same; undefined if nothing has this name.
 * @throws {ProblemError} `file-read`
 */
export function readOctetsIfPresent(cwd: string, file: string): Buffer | undefined {
  return orProblem(file, undefined, () => readIfPresent(resolve(cwd, file)));
}

/** The fix for a file that cannot be read, if it is not that of `readFix`. */
type ReadFix = Fix | ((error: unknown) => Fix);

function orProblem<T>(file: string, fix: ReadFix = readFix, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw problemError("file-read", `${file} cannot be read: ${fileErrorReason(error)}`, {
      fix: typeof fix === "function" ? fix(error) : fix,
    });
  }
}

/** The fix for a file that cannot be read; `missing` is that for a file that does not exist. */
export function readFix(error: unknown, missing: Fix = "Check the path."): Fix {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return missing;
  if (code === undefined) return "Name a regular file, or put one in its place.";
  return code === "EACCES" || code === "EPERM" ? "Allow this user to read it." : "Check the path.";
}

/**
 * Refuses to merge into a file that is not UTF-8: imports show and write its text, and other octets would be replaced.
 * @throws {ProblemError} `rewrite-inexact`
 */
export function requireUtf8({ file, bytes }: { readonly file: string; readonly bytes: Uint8Array }): void {
  if (isUtf8(bytes)) return;
  const fix = "Write such octets as escapes, for example \\233, or save the file as UTF-8. Then import again.";
  const summary = `${file} has octets that are not UTF-8, so nothing is merged into it`;
  throw problemError("rewrite-inexact", summary, { fix });
}

export interface FileToWrite {
  /** Path relative to the working folder. */
  readonly file: string;
  readonly text: string | Uint8Array;
  /** Not forced to the disk: a power failure may damage it, which its reader notices. */
  readonly isCache?: boolean;
}

/**
 * Writes files atomically: none is replaced until the new versions of all are on the disk. Symbolic links are followed.
 * @throws {ProblemError} `file-write`, or the reason of the signal; no file has changed then.
 */
export async function writeFiles(
  context: TaskContext & Pick<RunContext, "cwd">,
  files: readonly FileToWrite[],
  fix: Fix,
): Promise<void> {
  for (const { path, part } of await writeParts(context, files, fix)) renameSync(part, path);
}

/**
 * Creates files, each of them whole or not at all, when all are on the disk. A file that another process creates
 * meanwhile is never replaced.
 * @throws {ProblemError} `file-write`, or the reason of the signal
 */
export async function writeNewFiles(
  context: TaskContext & Pick<RunContext, "cwd">,
  files: readonly FileToWrite[],
  fix: Fix,
): Promise<void> {
  const parts = await writeParts(context, files, fix);
  try {
    for (const { path, part, file } of parts) {
      if (placeNew(part, path)) continue;
      const again = "Run the same command again: it keeps the file.";
      throw problemError("file-write", `${file} was created by another process meanwhile`, { fix: again });
    }
  } finally {
    for (const { part } of parts) rmSync(part, { force: true });
  }
}

/** Gives a temporary file its name; false if something has that name, be it a link to a missing file. */
function placeNew(part: string, path: string): boolean {
  try {
    linkSync(part, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    // A file system without hard links.
    if (lstatSync(path, { throwIfNoEntry: false })) return false;
    renameSync(part, path);
    return true;
  }
}

interface PartOfFile extends PartFile {
  readonly file: string;
}

async function writeParts(
  context: TaskContext & Pick<RunContext, "cwd">,
  files: readonly FileToWrite[],
  fix: Fix,
): Promise<readonly PartOfFile[]> {
  const parts: PartOfFile[] = [];
  const write = ({ file, text, isCache = false }: FileToWrite) => {
    try {
      parts.push({ file, ...writePart(resolve(context.cwd, file), text, !isCache) });
    } catch (error) {
      throw problemError("file-write", `${file} cannot be written: ${fileErrorReason(error)}`, { fix });
    }
  };
  try {
    await mapItems(context, ["writing files", "file"], files, write);
  } catch (error) {
    for (const { part } of parts) rmSync(part, { force: true });
    throw error;
  }
  return parts;
}

/** The name of the file with the baseline of a zone. */
export function baselineFile(zone: Name): string {
  return `${fileName(zone)}.json`;
}
