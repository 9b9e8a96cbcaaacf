import { randomUUID } from "node:crypto";
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { ProblemError, problem } from "../diagnostics/problem.ts";
import { type Name, nameKey } from "../dns/name.ts";
import { fileErrorReason } from "../formats/files.ts";
import { makeFolder } from "../make-folder.ts";
import { readRegularFile } from "../read-file.ts";
import { mapItems, type TaskContext } from "./progress.ts";
import type { RunContext } from "./run-context.ts";

/** The words of `--to`. */
export { formatNames } from "../formats/formats.ts";

/**
 * Reads a text file, relative to the working folder.
 * @throws {ProblemError} `file-read`
 */
export function readText(cwd: string, file: string, fix?: string): string {
  try {
    return readRegularFile(resolve(cwd, file)).toString();
  } catch (error) {
    throw new ProblemError(
      problem("file-read", `${file} cannot be read: ${fileErrorReason(error)}`, { fix: fix ?? readFix(error) }),
    );
  }
}

/** The fix for a file that cannot be read. */
export function readFix(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === undefined) return "Name a regular file, or put one in its place.";
  return code === "EACCES" || code === "EPERM" ? "Allow this user to read it." : "Check the path.";
}

export interface FileToWrite {
  /** Path relative to the working folder. */
  readonly file: string;
  readonly text: string | Uint8Array;
}

/**
 * Writes files atomically: none is replaced until the new versions of all are on the disk. Symbolic links are followed.
 * @throws {ProblemError} `file-write`, or the reason of the signal; no file has changed then.
 */
export async function writeFiles(
  context: TaskContext & Pick<RunContext, "cwd">,
  files: readonly FileToWrite[],
  fix: string,
): Promise<void> {
  const parts: { path: string; part: string }[] = [];
  const write = ({ file, text }: FileToWrite) => {
    try {
      parts.push(writePart(resolve(context.cwd, file), text));
    } catch (error) {
      throw new ProblemError(problem("file-write", `${file} cannot be written: ${fileErrorReason(error)}`, { fix }));
    }
  };
  try {
    await mapItems(context, ["writing files", "file"], files, write);
  } catch (error) {
    for (const { part } of parts) rmSync(part, { force: true });
    throw error;
  }
  for (const { path, part } of parts) renameSync(part, path);
}

/** Writes a text into a temporary file beside its destination. */
function writePart(path: string, text: string | Uint8Array): { path: string; part: string } {
  makeFolder(dirname(path));
  const before = statSync(path, { throwIfNoEntry: false });
  if (before && !before.isFile()) throw new Error("it exists and is not a regular file");
  const target = before ? realpathSync(path) : path;
  const part = join(dirname(target), `.${basename(target)}.${randomUUID()}.part`);
  try {
    writeFileSync(part, text, { flush: true, ...(before && { mode: before.mode }) });
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  return { path: target, part };
}

/** Returns the file name of a zone: without the final dot, safe as a path, and different for each zone. */
export function fileName(zone: Name): string {
  const name = nameKey(zone).slice(0, -1);
  return name.replaceAll(/[^a-z0-9._-]|^\./g, (octet) => `%${octet.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
