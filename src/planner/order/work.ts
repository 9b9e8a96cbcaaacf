/** The progress of work: a task, and how many of its items are done. */
export interface WorkProgress {
  /** The activity: `reading zone files`. */
  readonly task: string;
  /** The counted noun, in the singular: `file`. */
  readonly unit: string;
  readonly done: number;
  readonly total: number;
}

/** Synchronous work that yields its progress before each item, where it can be paused or left. */
export type Work<R> = Generator<WorkProgress, R, undefined>;

/** One of thousands of items takes far less time than a pause; one of a few may be a whole zone. */
const mostYields = 1000;

/** Converts items in order. */
export function* eachOf<T, R>(
  [task, unit]: readonly [task: string, unit: string],
  items: readonly T[],
  convert: (item: T, index: number) => R,
): Work<R[]> {
  const results: R[] = [];
  const yieldEvery = Math.ceil(items.length / mostYields);
  let done = 0;
  for (const item of items) {
    if (done % yieldEvery === 0) yield { task, unit, done, total: items.length };
    results.push(convert(item, done++));
  }
  return results;
}

/** The result of work that is done at once. */
export function finish<R>(work: Work<R>): R {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
