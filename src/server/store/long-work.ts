import { Executor } from "./language.ts";
import type { Database } from "./tables.ts";

/**
 * Thrown by short work that turns out to be other work: it has to begin again at another pace, see `ReadWorkOptions`.
 */
export class LongWork extends Error {
  readonly pace: "patient" | "long";

  constructor(pace: LongWork["pace"]) {
    super(`short work turns out to be ${pace}`);
    this.pace = pace;
  }
}

/** Limit on the estimated time of short work, in nanoseconds: 1 ms, about that of a page of a list. */
export const longestShort = 1_000_000;

/** Whether a transaction is short work. */
export function isShort(db: Database): boolean {
  const executor = db.getExecutor();
  return executor instanceof Executor && executor.connection.isShort;
}

/** Call it before work over `longestShort`. @throws {LongWork} in short work */
export function requireLong(db: Database): void {
  if (isShort(db)) throw new LongWork("long");
}
