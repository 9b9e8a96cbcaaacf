/** A queue with any number of writers and one reader. */
export class Queue<T> implements AsyncIterable<T> {
  readonly #values: T[] = [];
  #end: { error?: unknown } | undefined;
  #wake: () => void = () => {};

  push(value: T): void {
    this.#values.push(value);
    this.#wake();
  }

  end(): void {
    this.#end = {};
    this.#wake();
  }

  fail(error: unknown): void {
    this.#end = { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      const values = this.#values.splice(0);
      yield* values;
      if (this.#values.length > 0) continue;
      if (this.#end) {
        if ("error" in this.#end) throw this.#end.error;
        return;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
