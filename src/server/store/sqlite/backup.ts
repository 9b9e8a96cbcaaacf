import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { advise, type Fix } from "../../../diagnostics/advice.ts";
import { ProblemError, problemError } from "../../../diagnostics/problem.ts";
import { fileErrorReason } from "../../../formats/files.ts";
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
    copy(options.from, unfinished);
    flush(unfinished);
    place(unfinished, options);
    flush(dirname(to));
    return statSync(to).size;
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    const failure = failures[codeOf(error)];
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

function fileFailure(error: unknown, shown: string): string {
  const code = codeOf(error);
  if (code === "ENOENT") return `The folder ${dirname(shown)} does not exist`;
  if (code === "EISDIR") return `${shown} is a folder`;
  const reason = fileErrorReason(error);
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
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
