import { setImmediate } from "node:timers/promises";
import { eachOf, type Work, type WorkProgress } from "../../planner/order/work.ts";

/** The progress of a job. */
export interface ProgressEvent extends WorkProgress {
  /** Further counts: `1 failed`. */
  readonly details?: readonly string[];
}

/** Called often and synchronously: it must not throw or block. */
export type OnProgress = (event: ProgressEvent) => void;

/** Returns a function that reports the progress of one task. */
export function reportTask(
  onProgress: OnProgress | undefined,
  task: string,
  unit: string,
): (done: number, total: number) => void {
  return (done, total) => onProgress?.({ task, unit, done, total });
}

/** The longest time that the event loop, which serves signals and timers, waits between two items, in milliseconds. */
const blockedMs = 50;

/** The signal that ends a long task, and the receiver of its progress. */
export interface TaskContext {
  readonly signal: AbortSignal;
  readonly onProgress?: OnProgress;
}

/**
 * Goes through items, reports the number that are done, and lets the event loop run now and then.
 * @throws the reason of the signal, when it aborts
 */
export async function* walkItems<T>(
  { signal, onProgress }: TaskContext,
  [task, unit]: readonly [task: string, unit: string],
  items: readonly T[],
): AsyncGenerator<T, void, undefined> {
  const giveWay = createPauser(signal);
  for (const [done, item] of items.entries()) {
    onProgress?.({ task, unit, done, total: items.length });
    await giveWay();
    yield item;
  }
}

/** Converts items in order, as `walkItems` goes through them. */
export function mapItems<T, R>(
  context: TaskContext,
  task: readonly [task: string, unit: string],
  items: readonly T[],
  convert: (item: T, index: number) => R,
): Promise<R[]> {
  return runWork(context, eachOf(task, items, convert));
}

/**
 * Does work to its end, reports its progress, and lets the event loop run now and then.
 * @throws the reason of the signal, when it aborts
 */
export async function runWork<R>({ signal, onProgress }: TaskContext, work: Work<R>): Promise<R> {
  const giveWay = createPauser(signal);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    onProgress?.(value);
    const paused = giveWay();
    if (paused) await paused; // an await for each item would cost more than many of the conversions
  }
}

/** Returns a function to call between items; it gives a promise if the event loop has waited long enough. */
function createPauser(signal: AbortSignal): () => Promise<void> | undefined {
  let blocked = performance.now();
  const pause = async () => {
    await setImmediate();
    blocked = performance.now();
    signal.throwIfAborted();
  };
  return () => {
    if (performance.now() - blocked > blockedMs) return pause();
    signal.throwIfAborted();
    return undefined;
  };
}

/** Returns a function that reports the progress of reading live zones. */
export function reportLive(onProgress: OnProgress | undefined): (done: number, total: number) => void {
  return reportTask(onProgress, "reading live zones", "zone");
}
