/** Limits on the cached zones and on their octets together. */
export interface CacheLimits {
  readonly zones: number;
  readonly octets: number;
}

/** The most recently used zones, by the ids of their domains. The last one is kept whatever its size. */
export class ZoneCache<T> {
  readonly #limits: CacheLimits;
  /** In the order of their last use. */
  readonly #entries = new Map<number, { readonly zone: T; readonly octets: number }>();
  #octets = 0;

  constructor(limits: CacheLimits) {
    this.#limits = limits;
  }

  get(id: number): T | undefined {
    const found = this.#entries.get(id);
    if (found === undefined) return undefined;
    this.#entries.delete(id);
    this.#entries.set(id, found);
    return found.zone;
  }

  set(id: number, zone: T, octets: number): void {
    this.#delete(id);
    this.#entries.set(id, { zone, octets });
    this.#octets += octets;
    for (const oldest of this.#entries.keys()) {
      if (oldest === id || (this.#entries.size <= this.#limits.zones && this.#octets <= this.#limits.octets)) return;
      this.#delete(oldest);
    }
  }

  #delete(id: number): void {
    this.#octets -= this.#entries.get(id)?.octets ?? 0;
    this.#entries.delete(id);
  }
}
