/**
 * The time of a database, which is that of all its servers, however much their own clocks differ. Between two readings
 * it advances by a monotonic clock, so that no jump of the server's clock moves it.
 */
export class DatabaseClock {
  readonly #monotonic: () => number;
  /** The difference between both clocks, in milliseconds. */
  #offset: number | undefined;

  /** `monotonic` is a clock in milliseconds. */
  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  /** Reads the time in milliseconds since 1970. */
  async read(readTime: () => Promise<number>): Promise<void> {
    const asked = this.#monotonic();
    const time = await readTime();
    const [least, most] = [time - this.#monotonic(), time - asked];
    // A difference that the way of the answer explains is none: the time would jump with each slow reading.
    this.#offset = Math.min(most, Math.max(least, this.#offset ?? least));
  }

  /** The host's time until the first reading. */
  now(): Date {
    return this.#offset === undefined ? new Date() : new Date(this.#monotonic() + this.#offset);
  }
}
