import { setTimeout as delay } from "node:timers/promises";
import type { EndpointName } from "../../contract/endpoints/index.ts";
import type { Caller } from "../entities/context.ts";
import { tooManyRequests } from "../kit/api-error.ts";
import { FairLimiter, Rotation } from "../kit/fair-limiter.ts";
import { LeftTurns, StepQueue } from "../store/event-loop.ts";
import { LongWork } from "../store/long-work.ts";
import type { Store } from "../store/store.ts";

/**
 * Limits on long requests in the database at once, in total and per account, and on those of an account that wait. Each
 * holds a connection while it pauses; the name server may hold four of the ten to PostgreSQL for all work, so that two
 * are left for the rest. Of an account with 100 that wait, a further one would wait longer than its client.
 */
const most = { all: 4, ofAccount: 2, waitingOfAccount: 100 };

/** Endpoints whose writes grow with the domain, or with a file. */
const long: ReadonlySet<EndpointName> = new Set([
  "cloneDomain",
  "createTicketAttachment",
  "deleteDomain",
  "importDomain",
]);

/**
 * Limits on the files that are received and stored at once, in total and per user: each is in memory for that long, a
 * few times. The stalled uploads of one user do not hold up the others of the account.
 */
const mostUploads = { all: 32, ofUser: 4 };

/**
 * From so many waiting short reads of an account on, the requests of 10 ms share one lookup of their token: they would
 * wait longer anyway, and each lookup takes a connection from the reads.
 */
const crowd = { waiting: 16, gatheringMs: 10 };

/** The sender of a request: its account, or its network, and the signal of its disconnection. */
export interface Sender {
  readonly owner: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Limits requests by their cost. Single statements never wait. Short reads of several statements take turns, those of
 * one account after those of others. A read that turns out to be long is undone, and begins again among the long
 * requests. Requests whose client has left stop working and waiting.
 */
export class Lanes {
  readonly #short: FairLimiter;
  readonly #long: FairLimiter;
  readonly #uploads = new FairLimiter(mostUploads.all, mostUploads.ofUser);

  constructor({ mostShortReads }: Pick<Store, "mostShortReads">) {
    this.#short = new FairLimiter(mostShortReads);
    const steps = new StepQueue();
    const waiting = { all: Number.POSITIVE_INFINITY, ofOne: most.waitingOfAccount };
    this.#long = new FairLimiter(most.all, most.ofAccount, waiting, (makeRoom) => steps.add(makeRoom));
  }

  /** Resolves after the time to gather requests for one lookup; undefined if few short reads of the account wait. */
  gather(owner: string): Promise<void> | undefined {
    return this.#short.countWaiting(owner) < crowd.waiting ? undefined : delay(crowd.gatheringMs);
  }

  /** Runs a request with a file, from reading its body on. */
  runUpload<T>(caller: Caller | undefined, work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return this.#uploads.run(String(caller?.userId), work, signal);
  }

  /**
   * The store for a request of an endpoint or a page. Only transactions are limited: an import does not count while it
   * waits for a name server. Its methods throw {ApiError} 429 if too many long requests of the account wait.
   */
  storeFor(store: Store, { owner, signal }: Sender, endpoint?: EndpointName): Store {
    const isLong = endpoint !== undefined && long.has(endpoint);
    const runLong = <T>(work: () => Promise<T>): Promise<T> => {
      if (this.#long.isFull(owner)) throw tooManyRequests();
      return this.#long.run(owner, work, signal);
    };
    return {
      ...store,
      read: async (work, options) => {
        if (options?.isSingle) return store.read(work, { isSingle: true, signal });
        const readShort = async () => {
          signal?.throwIfAborted();
          return store.read(work, { pace: "short", signal });
        };
        try {
          // Its turn is near: a listener for the signal would take as long as a tenth of the read.
          if (!isLong) return await this.#short.run(owner, readShort);
        } catch (error) {
          if (!(error instanceof LongWork)) throw error;
          if (error.pace === "patient") return store.read(work, { pace: "patient", signal });
        }
        return runLong(() => store.read(work, { pace: "long", signal }));
      },
      write: async (work, options) => {
        if (!isLong && !options?.isLong) return store.write(work, { ...options, signal });
        return runLong(() => store.write(work, { ...options, isLong: true, signal }));
      },
    };
  }
}

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
