/** How much is kept: so many zones, and so many octets of what they were read from. */
export interface Shelf {
  readonly zones: number;
  readonly octets: number;
}

/** Zones by the ids of their domains, those that were asked for last. The last one is kept whatever its size. */
export class KeptZones<T> {
  readonly #shelf: Shelf;
  /** The one that was asked for last behind. */
  readonly #kept = new Map<number, { readonly zone: T; readonly octets: number }>();
  #octets = 0;

  constructor(shelf: Shelf) {
    this.#shelf = shelf;
  }

  find(id: number): T | undefined {
    const found = this.#kept.get(id);
    if (found === undefined) return undefined;
    this.#kept.delete(id);
    this.#kept.set(id, found);
    return found.zone;
  }

  keep(id: number, zone: T, octets: number): void {
    this.#drop(id);
    this.#kept.set(id, { zone, octets });
    this.#octets += octets;
    for (const oldest of this.#kept.keys()) {
      if (oldest === id || (this.#kept.size <= this.#shelf.zones && this.#octets <= this.#shelf.octets)) return;
      this.#drop(oldest);
    }
  }

  #drop(id: number): void {
    this.#octets -= this.#kept.get(id)?.octets ?? 0;
    this.#kept.delete(id);
  }
}
