const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop. Of all work that waits for one, a single piece goes on with each turn, so
 * that others are served between two steps however much work is under way. First come, first served.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(release);
  });
}

function release(): void {
  const next = waiting.shift();
  if (waiting.length > 0) setImmediate(release);
  next?.();
}

/** How much work one step may be, in nanoseconds as estimated, not as measured: 10 ms. */
export const step = 10_000_000;

/** Counts the estimated work since the last turn of the event loop. */
export class Pace {
  #spent = 0;

  /** Adds that many nanoseconds. Whether the work is to wait for `nextTurn` now. */
  isSpent(nanoseconds: number): boolean {
    this.#spent += nanoseconds;
    if (this.#spent < step) return false;
    this.#spent = 0;
    return true;
  }
}
