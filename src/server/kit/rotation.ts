/** Waiting items of different owners. The owner of an item that is taken is served again behind all others. */
export class Rotation<T> {
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  /** The number of all that wait. */
  get size(): number {
    return this.#size;
  }

  /** The number that waits for an owner. */
  count(owner: string): number {
    return this.#waiting.get(owner)?.length ?? 0;
  }

  add(owner: string, item: T): void {
    const items = this.#waiting.get(owner);
    if (items) items.push(item);
    else this.#waiting.set(owner, [item]);
    this.#size++;
  }

  delete(owner: string, item: T): void {
    const items = this.#waiting.get(owner);
    const index = items?.indexOf(item) ?? -1;
    if (items === undefined || index < 0) return;
    items.splice(index, 1);
    this.#size--;
    if (items.length === 0) this.#waiting.delete(owner);
  }

  /** Takes the oldest item of the next owner, among those that are admitted; undefined if nothing waits for any. */
  take(isAdmitted: (owner: string) => boolean = () => true): { readonly owner: string; readonly item: T } | undefined {
    for (const [owner, items] of this.#waiting) {
      if (!isAdmitted(owner)) continue;
      const item = items.shift() as T;
      this.#size--;
      if (items.length === 0 || this.#waiting.size > 1) this.#waiting.delete(owner);
      if (items.length > 0) this.#waiting.set(owner, items);
      return { owner, item };
    }
    return undefined;
  }
}
