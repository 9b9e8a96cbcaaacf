/** Turns in a row that waiting work leaves to new connections. */
const mostLeft = 30;

let isConnectionNew = false;

/**
 * Call it when a connection opens: the event loop takes one in each turn, however many wait, so that long turns would
 * keep out the last of them for long.
 */
export function noteConnection(): void {
  if (isConnectionNew) return;
  isConnectionNew = true;
  setImmediate(() => {
    isConnectionNew = false;
  });
}

/** The turns of the event loop that a queue leaves to new connections. */
export class LeftTurns {
  #inARow = 0;

  /** Leaves this turn if a connection is new, but only so many in a row; returns whether. To be called once in each. */
  leave(): boolean {
    const leaves = isConnectionNew && this.#inARow < mostLeft;
    this.#inARow = leaves ? this.#inARow + 1 : 0;
    return leaves;
  }
}

/** Functions that are called in later turns of the event loop, one in each, first come, first served. */
export class StepQueue {
  readonly #waiting: (() => void)[] = [];
  readonly #left = new LeftTurns();

  add(resume: () => void): void {
    this.#waiting.push(resume);
    if (this.#waiting.length === 1) setImmediate(() => this.#release());
  }

  #release(): void {
    const next = this.#left.leave() ? undefined : this.#waiting.shift();
    if (this.#waiting.length > 0) setImmediate(() => this.#release());
    next?.();
  }
}

const steps = new StepQueue();

/**
 * Resolves in a later turn of the event loop. Each turn resumes a single piece of waiting work, first come, first
 * served, so that requests are served between two steps however much work is in progress.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => steps.add(resolve));
}

/** Limit on the work of one step, in nanoseconds as estimated, not as measured: 10 ms. */
export const longestSlice = 10_000_000;

/** Estimated work since the last turn of the event loop. */
export class TimeSlice {
  #spent = 0;

  /** Adds nanoseconds of work; true once the step is full and the work should yield. */
  isSpent(nanoseconds: number): boolean {
    this.#spent += nanoseconds;
    if (this.#spent < longestSlice) return false;
    this.#spent = 0;
    return true;
  }
}
