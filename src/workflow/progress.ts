import { setImmediate } from "node:timers/promises";

/** The progress of a job. */
export interface ProgressEvent {
  /** The activity: `reading zone files`. */
  readonly task: string;
  /** The counted noun, in the singular: `file`. */
  readonly unit: string;
  readonly done: number;
  readonly total: number;
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
  context: TaskContext,
  task: readonly [task: string, unit: string],
  items: readonly T[],
): AsyncGenerator<T, void, undefined> {
  const begin = itemStarter(context, task, items.length);
  for (const [index, item] of items.entries()) {
    await begin(index);
    yield item;
  }
}

/**
 * Converts items in order, as `walkItems` goes through them.
 * @throws the reason of the signal, when it aborts
 */
export async function mapItems<T, R>(
  context: TaskContext,
  task: readonly [task: string, unit: string],
  items: readonly T[],
  convert: (item: T, index: number) => R,
): Promise<R[]> {
  const begin = itemStarter(context, task, items.length);
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    const paused = begin(index);
    if (paused) await paused; // an await for each item would cost more than many of the conversions
    results.push(convert(item, index));
  }
  return results;
}

/** Returns a function to call before each item; it gives a promise if the event loop has waited long enough. */
function itemStarter(
  { signal, onProgress }: TaskContext,
  [task, unit]: readonly [task: string, unit: string],
  total: number,
): (index: number) => Promise<void> | undefined {
  let blocked = performance.now();
  const pause = async () => {
    await setImmediate();
    blocked = performance.now();
    signal.throwIfAborted();
  };
  return (index) => {
    onProgress?.({ task, unit, done: index, total });
    if (performance.now() - blocked > blockedMs) return pause();
    signal.throwIfAborted();
    return undefined;
  };
}

/** Returns a function that reports the progress of reading live zones. */
export function reportLive(onProgress: OnProgress | undefined): (done: number, total: number) => void {
  return reportTask(onProgress, "reading live zones", "zone");
}
