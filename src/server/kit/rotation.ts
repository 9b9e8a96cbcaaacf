/** Waiting items of different owners. The owner of an item that is taken is served again behind all others. */
export class Rotation<T> {
  readonly #waiting = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** The number that waits for an owner, or in total. */
  count(owner?: string): number {
    if (owner !== undefined) return this.#waiting.get(owner)?.length ?? 0;
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }

  add(owner: string, item: T): void {
    const items = this.#waiting.get(owner);
    if (items) items.push(item);
    else this.#waiting.set(owner, [item]);
  }

  delete(owner: string, item: T): void {
    const items = this.#waiting.get(owner);
    const index = items?.indexOf(item) ?? -1;
    if (index >= 0) items?.splice(index, 1);
    if (items?.length === 0) this.#waiting.delete(owner);
  }

  /** Takes the oldest item of the next owner, among those that are admitted; undefined if nothing waits for any. */
  take(isAdmitted: (owner: string) => boolean = () => true): { readonly owner: string; readonly item: T } | undefined {
    for (const [owner, items] of this.#waiting) {
      if (!isAdmitted(owner)) continue;
      const item = items.shift() as T;
      if (items.length === 0 || this.#waiting.size > 1) this.#waiting.delete(owner);
      if (items.length > 0) this.#waiting.set(owner, items);
      return { owner, item };
    }
    return undefined;
  }
}
