/** Limits on the cached zones and on their octets together. */
export interface CacheLimits {
  readonly zones: number;
  readonly octets: number;
}

/** The most recently used zones, by the ids of their domains, or by name. The last one is kept whatever its size. */
export class ZoneCache<Key, T> {
  readonly #limits: CacheLimits;
  /** In the order of their last use. */
  readonly #entries = new Map<Key, { readonly zone: T; readonly octets: number }>();
  #octets = 0;

  constructor(limits: CacheLimits) {
    this.#limits = limits;
  }

  /** The zones in it and their octets. */
  get load(): CacheLimits {
    return { zones: this.#entries.size, octets: this.#octets };
  }

  get(key: Key): T | undefined {
    const found = this.#entries.get(key);
    if (found === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, found);
    return found.zone;
  }

  set(key: Key, zone: T, octets: number): void {
    this.delete(key);
    this.#entries.set(key, { zone, octets });
    this.#octets += octets;
    for (const oldest of this.#entries.keys()) {
      if (oldest === key || (this.#entries.size <= this.#limits.zones && this.#octets <= this.#limits.octets)) return;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    this.#octets -= this.#entries.get(key)?.octets ?? 0;
    this.#entries.delete(key);
  }
}
