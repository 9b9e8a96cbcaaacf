import { accessSync, constants, type Stats, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { advise } from "../../../diagnostics/advice.ts";
import { shellWord } from "../../../diagnostics/shell-word.ts";
import type { StoreReason } from "../driver.ts";

/** A right of a user. To search a folder is to reach the files in it. */
type Right = "read" | "write" | "search";

const rights = {
  read: { access: constants.R_OK, letter: "r" },
  write: { access: constants.W_OK, letter: "w" },
  search: { access: constants.X_OK, letter: "x" },
} as const;

/**
 * Why this user cannot read and write a database file, by what the file system says of the file, of SQLite's files
 * beside it and of their folder; undefined if it says nothing. SQLite has one reason for all of these: a file that
 * cannot be opened, or a read-only database.
 */
export function explainAccess(path: string): Required<StoreReason> | undefined {
  const [found, stats] = nearest(path);
  if (found !== path) {
    if (!stats.isDirectory()) return undefined;
    return refusal(found, stats, "search") ?? refusal(found, stats, "write");
  }
  for (const file of ["", "-wal", "-shm", "-journal"].map((suffix) => path + suffix)) {
    const own = statSync(file, { throwIfNoEntry: false });
    const refused = own?.isFile() && (refusal(file, own, "read") ?? refusal(file, own, "write"));
    if (refused) return refused;
  }
  // SQLite makes the files beside it there.
  const folder = dirname(path);
  return refusal(folder, statSync(folder), "write");
}

/** The file, or the nearest folder above it that this user can see. */
function nearest(path: string): [path: string, stats: Stats] {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined) return [path, stats];
  } catch {
    // It is in a folder that may not be searched.
  }
  return dirname(path) === path ? [path, statSync(path)] : nearest(dirname(path));
}

function refusal(path: string, stats: Stats, right: Right): Required<StoreReason> | undefined {
  try {
    accessSync(path, rights[right].access);
    return undefined;
  } catch (error) {
    const isDisk = (error as NodeJS.ErrnoException).code === "EROFS";
    return isDisk ? explainDisk(path) : explainRefusal(path, stats, right);
  }
}

function explainDisk(path: string): Required<StoreReason> {
  return {
    reason: `the disk of ${path} is read-only`,
    fix: advise`Mount it for writing, or with ${{ set: "data" }}, name a folder on another disk.`,
  };
}

/** The id of this user; undefined if the system does not tell it, as Windows. */
function findUser(): number | undefined {
  const { uid } = statSync("/proc/self", { throwIfNoEntry: false }) ?? {};
  if (uid !== undefined) return uid;
  try {
    const found = userInfo().uid;
    return found < 0 ? undefined : found;
  } catch {
    return undefined; // a user without an entry in the system's list
  }
}

function explainRefusal(path: string, stats: Stats, right: Right): Required<StoreReason> {
  const kind = stats.isDirectory() ? "folder" : "file";
  // SQLite gives the files beside a database its mode.
  const allow = stats.isDirectory() ? `chmod u+rwx ${shellWord(path)}` : `chmod u+rw ${shellWord(path)}*`;
  const own = findUser();
  if (own === undefined || stats.uid === own)
    return {
      reason: `this user may not ${right} its own ${kind} ${path}`,
      fix: `Allow it: \`${allow}\`.`,
    };
  return {
    reason: `this user (id ${own}) may not ${right} the ${kind} ${path}, which belongs to another (id ${stats.uid})`,
    fix: advise`Run the command as that user, or with ${{ set: "data" }}, name a folder that this user may write.`,
  };
}
