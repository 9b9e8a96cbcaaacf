import { FairLimiter } from "../kit/fair-limiter.ts";
import { yieldToEventLoop } from "../store/event-loop.ts";
import type { TcpClient } from "./client.ts";

/** Limits on zone transfers at once: in all, and to one peer. */
export const mostTransfers = { all: 64, ofPeer: 4 };

/** A peer with transfers. */
interface Receiver {
  transfers: number;
  /** Those that wait to write a message. */
  readonly waiting: (() => void)[];
}

/**
 * Zone transfers over TCP share the server fairly: over the limits they wait, and one message is written in a turn of
 * the event loop, for each peer in rotation.
 */
export class Transfers {
  readonly #limiter = new FairLimiter(mostTransfers.all, mostTransfers.ofPeer);
  /** The one that has waited longest for a message first. */
  readonly #receivers = new Map<string, Receiver>();
  #isServing = false;

  /** Resolves when a transfer may begin, with a function to call at its end. @throws if the client leaves before */
  async begin({ peer, signal }: TcpClient): Promise<() => void> {
    const leave = await new Promise<() => void>((begin, abandon) => {
      this.#limiter.run(peer, () => new Promise<void>((end) => begin(end)), signal).catch(abandon);
    });
    const receiver = this.#receivers.get(peer) ?? { transfers: 0, waiting: [] };
    this.#receivers.set(peer, receiver);
    receiver.transfers++;
    return () => {
      receiver.transfers--;
      if (receiver.transfers === 0) this.#receivers.delete(peer);
      leave();
    };
  }

  /** The same messages of a transfer that has begun; each is written when it is taken. @throws if the client leaves */
  async *write({ peer, signal }: TcpClient, messages: Generator<Buffer>): AsyncGenerator<Buffer> {
    for (;;) {
      await new Promise<void>((resolve) => {
        this.#receivers.get(peer)?.waiting.push(resolve);
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
      const [peer, receiver] = next;
      this.#receivers.delete(peer);
      this.#receivers.set(peer, receiver); // behind the others
      receiver.waiting.shift()?.();
    }
    this.#isServing = false;
  }
}
