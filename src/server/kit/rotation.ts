/** Waiting items of different owners. The owner of an item that is taken is served again behind all others. */
export class Rotation<T> {
  readonly #waiting = new Map<string, Set<T>>();

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** The number that waits for an owner, or in total. */
  count(owner?: string): number {
    if (owner !== undefined) return this.#waiting.get(owner)?.size ?? 0;
    return [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0);
  }

  add(owner: string, item: T): void {
    const ofOwner = this.#waiting.get(owner);
    if (ofOwner) ofOwner.add(item);
    else this.#waiting.set(owner, new Set([item]));
  }

  delete(owner: string, item: T): void {
    const ofOwner = this.#waiting.get(owner);
    ofOwner?.delete(item);
    if (ofOwner?.size === 0) this.#waiting.delete(owner);
  }

  /** Takes the oldest of the next owner, among those that are admitted; undefined if nothing waits for any. */
  take(isAdmitted: (owner: string) => boolean = () => true): { readonly owner: string; readonly item: T } | undefined {
    for (const [owner, ofOwner] of this.#waiting) {
      if (!isAdmitted(owner)) continue;
      this.#waiting.delete(owner);
      for (const item of ofOwner) {
        ofOwner.delete(item);
        if (ofOwner.size > 0) this.#waiting.set(owner, ofOwner);
        return { owner, item };
      }
    }
    return undefined;
  }
}
