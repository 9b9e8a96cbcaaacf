/** Time that passes only when every program waits. */
export class VirtualClock {
  #now = Date.parse("2026-03-04T12:00:00Z");
  #timers: { at: number; order: number; fire: () => void }[] = [];
  #order = 0;
  #busy = 0;
  #isTicking = false;

  readonly now = (): number => this.#now;

  readonly sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      this.#timers.push({ at: this.#now + Math.max(0, ms), order: this.#order++, fire: resolve });
      this.#tick();
    });

  /** Drops all timers, so that no wait ends. */
  stop(): void {
    this.#timers = [];
  }

  /** While `action` runs, no time passes. */
  async busy<T>(action: () => Promise<T>): Promise<T> {
    this.#busy++;
    try {
      return await action();
    } finally {
      this.#busy--;
    }
  }

  async #tick(): Promise<void> {
    if (this.#isTicking) return;
    this.#isTicking = true;
    while (this.#timers.length > 0) {
      await idle();
      if (this.#busy > 0) continue;
      this.#timers.sort((a, b) => a.at - b.at || a.order - b.order);
      const next = this.#timers.shift();
      if (!next) break;
      this.#now = Math.max(this.#now, next.at);
      next.fire();
    }
    this.#isTicking = false;
  }
}

/** Two turns of the event loop: whatever could go on has gone on, or waits for time to pass. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 2; turn++)
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
}
