import { Rotation } from "../kit/rotation.ts";
import { LeftTurns } from "../store/event-loop.ts";

/** Time for requests that begin in one turn of the event loop, in milliseconds. */
const turn = 5;

/** Limit on the requests that begin in one turn of the event loop: more than there is time for. */
const mostInTurn = 64;

/**
 * Begins requests in turns of the event loop: those of one sender after those of others, and for 5 ms in each turn, so
 * that the name server is not kept waiting. A request waits before it begins, because the garbage collector moves what
 * waits to the old objects, and an old promise keeps its result in memory after its end.
 */
export class RequestTurns {
  readonly #monotonic: () => number;
  readonly #waiting = new Rotation<() => void>();
  /** The calls of `#beginNext` that are requested. */
  #calls = 0;
  readonly #left = new LeftTurns();
  /** The end of the time in this turn of the event loop; undefined if no further request waits. */
  #end: number | undefined;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Calls a function when it is the sender's turn. */
  add(sender: string, begin: () => void): void {
    this.#waiting.add(sender, begin);
    this.#callLater();
  }

  /** Begins one request: between two calls in a turn of the event loop, what the first has begun is continued. */
  readonly #beginNext = (): void => {
    this.#calls--;
    if (this.#end === undefined && this.#left.leave()) this.#endAt(0);
    if (this.#end === undefined || this.#monotonic() < this.#end) {
      const next = this.#waiting.take();
      // A further turn costs a system call, which a single request can do without.
      if (this.#end === undefined && this.#waiting.size > 0) this.#endAt(this.#monotonic() + turn);
      next?.item();
    }
    this.#callLater();
  };

  /** Requests a further call, unless there is one for each request that waits, or as many as a turn takes. */
  #callLater(): void {
    if (this.#calls >= Math.min(this.#waiting.size, mostInTurn)) return;
    this.#calls++;
    setImmediate(this.#beginNext);
  }

  #endAt(end: number): void {
    this.#end = end;
    setImmediate(() => {
      this.#end = undefined;
    });
  }
}
