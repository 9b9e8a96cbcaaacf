const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop. Each turn resumes a single piece of waiting work, first come, first
 * served, so that requests are served between two steps however much work is in progress.
 */
export function yieldToEventLoop(): Promise<void> {
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

/** Limit on the work of one step, in nanoseconds as estimated, not as measured: 10 ms. */
export const longestStep = 10_000_000;

/** Estimated work since the last turn of the event loop. */
export class StepBudget {
  #spent = 0;

  /** Adds nanoseconds of work; true once the step is full and the work should yield. */
  isSpent(nanoseconds: number): boolean {
    this.#spent += nanoseconds;
    if (this.#spent < longestStep) return false;
    this.#spent = 0;
    return true;
  }
}
