import { linkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ProblemError, problemError } from "../../diagnostics/problem.ts";
import { makeFolder, readRegularFile } from "../../file-system.ts";
import { journalProblem } from "./journal.ts";

/** A process that applies or imports. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
}

/** The process that requests the lock, and a probe for others. */
export interface LockOwner extends Holder {
  /** Whether a process with this id runs on this machine. */
  isAlive(pid: number): boolean;
}

/**
 * Acquires the lock of a project, so that one run or import writes at a time, and returns its release. `folder` is its
 * `.zonewright`. The lock of a dead process is taken over.
 * @throws {ProblemError} `run-locked`; `journal-write` if the lock cannot be written.
 */
export function takeLock(folder: string, owner: LockOwner): () => void {
  const path = join(folder, "lock");
  const own = join(folder, `lock.${owner.host}.${owner.pid}`);
  try {
    makeFolder(folder, 0o700);
    writeFileSync(own, JSON.stringify({ pid: owner.pid, host: owner.host }), { mode: 0o600 });
    try {
      if (!link(own, path)) {
        removeStale(path, owner);
        if (!link(own, path)) throw lockedProblem(path, holderOf(path));
      }
    } finally {
      rmSync(own, { force: true });
    }
  } catch (error) {
    throw error instanceof ProblemError ? error : journalProblem(path, error);
  }
  return () => rmSync(path, { force: true });
}

/** Whether another process holds the lock now. */
export function isLocked(folder: string, owner: LockOwner): boolean {
  const holder = holderOf(join(folder, "lock"));
  return holder !== undefined && isHolderAlive(holder, owner);
}

/** @throws {ProblemError} `run-locked` when another process holds the lock now. */
export function checkLock(folder: string, owner: LockOwner): void {
  const path = join(folder, "lock");
  if (isLocked(folder, owner)) throw lockedProblem(path, holderOf(path));
}

/** A link appears atomically, with its text. */
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Moves the lock away before checking it, so that of two processes that find it stale, one does not take the other's
 * new lock.
 */
function removeStale(path: string, owner: LockOwner): void {
  const holder = holderOf(path);
  if (holder && isHolderAlive(holder, owner)) throw lockedProblem(path, holder);
  const stale = `${path}.stale.${owner.host}.${owner.pid}`;
  try {
    renameSync(path, stale);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  const moved = holderOf(stale);
  if (moved && isHolderAlive(moved, owner)) {
    link(stale, path);
    rmSync(stale, { force: true });
    throw lockedProblem(path, moved);
  }
  rmSync(stale, { force: true });
}

/** A lock holder on another host cannot be probed: assume it is alive. */
function isHolderAlive({ pid, host }: Holder, owner: LockOwner): boolean {
  return host !== owner.host || (pid !== owner.pid && owner.isAlive(pid));
}

function holderOf(path: string): Holder | undefined {
  try {
    const { pid, host } = JSON.parse(readRegularFile(path).toString()) as Partial<Holder>;
    return typeof pid === "number" && typeof host === "string" ? { pid, host } : undefined;
  } catch {
    return undefined;
  }
}

function lockedProblem(path: string, holder: Holder | undefined): ProblemError {
  const who = holder ? `process ${holder.pid} on ${holder.host}` : "another process";
  const summary = `${who} is changing this project`;
  const fix = `Wait until it ends. If you are certain that it no longer runs, delete ${path}.`;
  return problemError("run-locked", summary, { fix });
}
