import { FairLimiter } from "../kit/fair-limiter.ts";
import { yieldToEventLoop } from "../store/event-loop.ts";
import type { TcpClient } from "./client.ts";

/**
 * Limit on zone transfers at once to one site, to secondaries of the operator and to others. In all, only connections
 * are limited: a peer that reads slowly would keep its place from others for as long as it likes.
 */
export const mostTransfersOfSite = 4;

/** A site with transfers. */
interface Receiver {
  transfers: number;
  /** Those that wait to write a message. */
  readonly waiting: (() => void)[];
}

/**
 * Zone transfers over TCP share the server fairly: over the limits they wait, and one message is written in a turn of
 * the event loop, for each site in rotation.
 */
export class Transfers {
  readonly #ofSecondaries = new FairLimiter(Number.POSITIVE_INFINITY, mostTransfersOfSite);
  readonly #ofOthers = new FairLimiter(Number.POSITIVE_INFINITY, mostTransfersOfSite);
  /** The one that has waited longest for a message first. */
  readonly #receivers = new Map<string, Receiver>();
  #isServing = false;

  /** Resolves when a transfer may begin, with a function to call at its end. @throws if the client leaves before */
  async begin({ site, signal }: TcpClient, isSecondary: boolean): Promise<() => void> {
    const limiter = isSecondary ? this.#ofSecondaries : this.#ofOthers;
    const leave = await new Promise<() => void>((begin, abandon) => {
      limiter.run(site, () => new Promise<void>((end) => begin(end)), signal).catch(abandon);
    });
    const receiver = this.#receivers.get(site) ?? { transfers: 0, waiting: [] };
    this.#receivers.set(site, receiver);
    receiver.transfers++;
    return () => {
      receiver.transfers--;
      if (receiver.transfers === 0) this.#receivers.delete(site);
      leave();
    };
  }

  /** The same messages of a transfer that has begun; each is written when it is taken. @throws if the client leaves */
  async *write({ site, signal }: TcpClient, messages: Generator<Buffer>): AsyncGenerator<Buffer> {
    for (;;) {
      await new Promise<void>((resolve) => {
        this.#receivers.get(site)?.waiting.push(resolve);
        if (!this.#isServing) void this.#serve();
      });
      signal.throwIfAborted();
      const { value, done } = messages.next();
      if (done) return;
      yield value;
    }
  }

  async #serve(): Promise<void> {
    this.#isServing = true;
    for (;;) {
      await yieldToEventLoop();
      const next = [...this.#receivers].find(([, { waiting }]) => waiting.length > 0);
      if (next === undefined) break;
      const [site, receiver] = next;
      this.#receivers.delete(site);
      this.#receivers.set(site, receiver); // behind the others
      receiver.waiting.shift()?.();
    }
    this.#isServing = false;
  }
}
