/**
 * How long a zone may fail to load, and how long a load may take, in milliseconds: that of a million records takes half
 * of it.
 */
const longest = { failing: 10_000, loading: 60_000 };

/** Limit on the zones that are remembered. */
const mostFailed = 1000;

/**
 * The zones that a query asked for and that cannot be loaded, which renders them where that is due: the load has
 * failed for some time, or does not end.
 */
export class StuckZones {
  readonly #monotonic: () => number;
  /** The zones whose last load failed, and since when all did. */
  readonly #failed = new Map<string, number>();
  /** The zones that are being loaded, and since when. */
  readonly #loading = new Map<string, number>();
  #isRetrying = false;

  /** `monotonic` is a clock in milliseconds. */
  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  /** Loads a zone. */
  async watch<T>(name: string, load: () => Promise<T>): Promise<T> {
    this.#loading.set(name, this.#monotonic());
    try {
      const loaded = await load();
      this.#failed.delete(name);
      return loaded;
    } catch (error) {
      if (this.#failed.size < mostFailed && !this.#failed.has(name)) this.#failed.set(name, this.#monotonic());
      throw error;
    } finally {
      this.#loading.delete(name);
    }
  }

  /** The names of the zones, as in `domain_key`. */
  list(): string[] {
    const now = this.#monotonic();
    const namesSince = (all: ReadonlyMap<string, number>, before: number) =>
      [...all].filter(([, since]) => since <= before).map(([name]) => name);
    const failing = namesSince(this.#failed, now - longest.failing);
    return [...new Set([...failing, ...namesSince(this.#loading, now - longest.loading)])];
  }

  /**
   * Loads the zones that failed again, as no query may ask for them: up to the first that still fails, which is the
   * last one next time. Does nothing while that is under way. `load` resolves to whether the zone was loaded, or need
   * not be.
   */
  async retry(load: (name: string) => Promise<boolean>): Promise<void> {
    if (this.#isRetrying) return;
    this.#isRetrying = true;
    try {
      for (const [name, since] of [...this.#failed]) {
        const isOver = await load(name).catch(() => false);
        if (isOver) this.#failed.delete(name);
        if (!this.#failed.delete(name)) continue;
        this.#failed.set(name, since);
        return;
      }
    } finally {
      this.#isRetrying = false;
    }
  }
}
