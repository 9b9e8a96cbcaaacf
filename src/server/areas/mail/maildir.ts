import { randomBytes } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { open, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { advise, type Fix } from "../../../diagnostics/advice.ts";
import { escapeControl } from "../../../diagnostics/escape.ts";
import { type ProblemError, problemError } from "../../../diagnostics/problem.ts";
import { makeFolder } from "../../../file-system.ts";
import { fileErrorReason } from "../../../formats/files.ts";

/**
 * A folder with the subfolders of a Maildir: a message is written in `tmp` and then moved to `new`, whose readers see
 * whole messages only.
 */
export interface Maildir {
  /** Stores a message, also across a power failure, in place of one with the same name. @throws {ProblemError} */
  add(name: string, message: string): Promise<void>;
}

/**
 * Opens a Maildir. Missing folders are created, so that only this user can read them.
 * @throws {ProblemError} `mail-folder`
 */
export function openMaildir(folder: string): Maildir {
  const [unfinished, unread, read] = [join(folder, "tmp"), join(folder, "new"), join(folder, "cur")];
  try {
    for (const path of [unfinished, unread, read]) makeFolder(path, 0o700);
    for (const path of [unfinished, unread]) accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw writeFailure(
      folder,
      error,
      advise`Name a folder for ${{ set: "mail" }} in which the server may create files.`,
    );
  }
  return {
    async add(name, message) {
      const file = join(unfinished, `${name}.${randomBytes(4).toString("hex")}`);
      try {
        await writeNew(file, message);
        await rename(file, join(unread, name));
        await sync(unread);
      } catch (error) {
        await unlink(file).catch(() => {}); // where it was not created or has been moved
        throw writeFailure(folder, error, "The server tries again every minute, for a day.");
      }
    },
  };
}

/** Writes a file that did not exist, and that only this user can read. */
async function writeNew(path: string, content: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the names in a folder last. */
async function sync(folder: string): Promise<void> {
  const opened = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

function writeFailure(folder: string, error: unknown, fix: Fix): ProblemError {
  const summary = `cannot write mail to ${escapeControl(folder)}: ${fileErrorReason(error)}`;
  return problemError("mail-folder", summary, { fix });
}
