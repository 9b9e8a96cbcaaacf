import { randomUUID } from "node:crypto";
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { advise, type Fix } from "../../../diagnostics/advice.ts";
import { ProblemError, problemError } from "../../../diagnostics/problem.ts";
import { fileErrorReason } from "../../../formats/files.ts";
import { explainAccess } from "./file-access.ts";
import { openDatabase } from "./libsql.ts";

interface BackupOptions {
  /** The database file, which a server may be serving. */
  readonly from: string;
  readonly to: string;
  /** The file as it appears in messages. */
  readonly shown: string;
  /** Whether an existing file is replaced. */
  readonly isReplacing: boolean;
}

/** Time to wait for a server that starts or stops at the same moment, in milliseconds. */
const timeoutMs = 5000;

/**
 * Writes a consistent copy of a SQLite database and returns its size in octets. Reads and writes of a server do not
 * wait for it (WAL). The copy is a separate file beside the target until it is complete, checked and flushed to disk.
 * @throws {ProblemError} `backup-exists`, `backup-damaged`, `backup-write`; then the target is as it was.
 */
export function backUp(options: BackupOptions): number {
  const { to, shown } = options;
  const unfinished = join(dirname(to), `.${basename(to)}.${randomUUID()}.unfinished`);
  try {
    closeSync(openSync(unfinished, "wx", 0o600)); // SQLite takes an empty file, and leaves its mode as it is
    copyDatabase(options.from, unfinished);
    flush(unfinished);
    place(unfinished, options);
    flush(dirname(to));
    return statSync(to).size;
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    const failure = failures[codeOf(error)] ?? sourceFailure(error, options.from);
    const detail = failure?.detail ?? fileFailure(error, shown);
    const fix = failure?.fix ?? "Name a file in a folder that this user may write, on a disk with space left.";
    throw problemError("backup-write", `the backup ${shown} cannot be written`, { detail: `${detail}.`, fix });
  } finally {
    rmSync(unfinished, { force: true });
  }
}

const failures: Record<string, { readonly detail: string; readonly fix?: Fix }> = {
  SQLITE_FULL: { detail: "The disk is full" },
  SQLITE_BUSY: {
    detail: "The database is locked by another process",
    fix: "Run the command again when it has finished.",
  },
  SQLITE_NOTADB: {
    detail: "The database file is not a SQLite database",
    fix: advise`Name the folder of the database with ${{ set: "data" }}.`,
  },
  SQLITE_CORRUPT: { detail: "The database file is damaged", fix: "Restore the last good backup." },
};

/** Why the database cannot be read, if that is the error: the target is an empty file that SQLite may write. */
function sourceFailure(error: unknown, from: string) {
  if (!refused.test(codeOf(error))) return undefined;
  const explained = explainAccess(from);
  if (explained === undefined) return { detail: "The database file cannot be opened", fix: "Check its folder." };
  return { detail: `The database cannot be read: ${explained.reason}`, fix: explained.fix };
}

function fileFailure(error: unknown, shown: string): string {
  const code = codeOf(error);
  if (code === "ENOENT") return `The folder ${dirname(shown)} does not exist`;
  if (code === "EISDIR") return `${shown} is a folder`;
  const reason = fileErrorReason(error);
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
}

/** Results of SQLite for a file or a folder that this user may not write, or not read. */
const refused = /^SQLITE_(READONLY|CANTOPEN|PERM)/;

function copyDatabase(from: string, to: string): void {
  try {
    copy(from, to);
  } catch (error) {
    if (!refused.test(codeOf(error))) throw error;
    const folder = mkdtempSync(`${to}.`); // only this user can read it
    try {
      const still = join(folder, "copy.db");
      if (!copyUnused(from, still)) throw error;
      copy(still, to);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}

/**
 * Copies the file of a database whose folder this user may not write, so that SQLite cannot make the files beside it
 * without which it does not read. Without a log, the file has all of the database. Returns false if it has a log, or
 * changed meanwhile, because another user's process uses it.
 */
function copyUnused(from: string, to: string): boolean {
  const stateOf = () => {
    const { ino, size, mtimeNs } = statSync(from, { bigint: true });
    return [existsSync(`${from}-wal`), existsSync(`${from}-journal`), ino, size, mtimeNs].join();
  };
  if (!isReadable(from)) return false;
  const before = stateOf();
  if (!before.startsWith("false,false,")) return false;
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  chmodSync(to, 0o600);
  return stateOf() === before;
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function copy(from: string, to: string): void {
  const database = openDatabase(from, timeoutMs);
  try {
    database.prepare("vacuum into ?").run([to]);
  } finally {
    database.close();
  }
  const copied = openDatabase(to, timeoutMs);
  try {
    const found = copied.prepare("pragma integrity_check").all([]) as [string][];
    const [wrong] = found.find(([text]) => text !== "ok") ?? [];
    if (wrong === undefined) return;
    const fix = "Restore the last good backup.";
    throw problemError("backup-damaged", "the database is damaged, so no backup was written", {
      detail: `${wrong}.`,
      fix,
    });
  } finally {
    copied.close();
  }
}

/** A link fails if the target exists, even if it was just created; a rename replaces it atomically. */
function place(unfinished: string, { to, shown, isReplacing }: BackupOptions): void {
  if (isReplacing) return renameSync(unfinished, to);
  try {
    linkSync(unfinished, to);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    throw problemError("backup-exists", `${shown} already exists`, {
      fix: advise`Name another file, or replace this one with ${{ set: "force" }}.`,
    });
  }
}

function flush(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
