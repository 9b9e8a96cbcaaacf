import { Rotation } from "../kit/rotation.ts";

/** Time for requests that begin in one turn of the event loop, in milliseconds. */
const turn = 5;

/**
 * Begins requests in turns of the event loop: those of one sender after those of others, and for 5 ms in each turn, so
 * that the name server is not kept waiting. A request waits before it begins, because the garbage collector moves what
 * waits to the old objects, and an old promise keeps its result in memory after its end.
 */
export class RequestTurns {
  readonly #monotonic: () => number;
  readonly #waiting = new Rotation<() => void>();
  /** The end of the time in this turn of the event loop; undefined if no further request waits. */
  #end: number | undefined;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Calls a function when it is the sender's turn. */
  add(sender: string, begin: () => void): void {
    this.#waiting.add(sender, begin);
    setImmediate(this.#beginNext);
  }

  /** Called as often as `add`: between two calls in a turn of the event loop, what the first has begun is continued. */
  readonly #beginNext = (): void => {
    if (this.#end !== undefined && this.#monotonic() >= this.#end) return void setImmediate(this.#beginNext);
    const next = this.#waiting.take();
    // A further turn costs a system call, which a single request can do without.
    if (this.#end === undefined && !this.#waiting.isEmpty) {
      this.#end = this.#monotonic() + turn;
      setImmediate(() => {
        this.#end = undefined;
      });
    }
    next?.item();
  };
}
