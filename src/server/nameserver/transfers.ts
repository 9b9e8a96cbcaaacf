import { FairLimiter } from "../kit/fair-limiter.ts";
import { yieldToEventLoop } from "../store/event-loop.ts";
import type { TcpClient } from "./client.ts";

/**
 * Limit on zone transfers at once to one site, to secondaries of the operator and to others. In all, only connections
 * are limited: a peer that reads slowly would keep its place from others for as long as it likes.
 */
export const mostTransfersOfSite = 4;

/** Octets of messages that are written in a turn of the event loop: the last of them may exceed it. */
export const octetsInTurn = 2 ** 13;

/** Octets of all messages after which what each site was sent counts half. */
const halving = 2 ** 23;

/** Octets from which on a site without transfers is remembered. */
const fewest = 2 ** 10;

/** A site with transfers, or that had some lately. */
interface Receiver {
  transfers: number;
  /** Resumes the transfers that wait to write a message. */
  readonly waiting: (() => void)[];
  /** Octets that it was sent lately. */
  octets: number;
}

/**
 * Zone transfers over TCP share the server fairly: over the limits they wait, and in a turn of the event loop some
 * octets are written, each message for the site that was sent least lately. So a secondary that transfers a zone now
 * and then hardly waits for one that does so all the time.
 */
export class Transfers {
  readonly #ofSecondaries = new FairLimiter(Number.POSITIVE_INFINITY, mostTransfersOfSite);
  readonly #ofOthers = new FairLimiter(Number.POSITIVE_INFINITY, mostTransfersOfSite);
  readonly #receivers = new Map<string, Receiver>();
  /** Octets since all counts were halved. */
  #octets = 0;
  #leftInTurn = octetsInTurn;
  #isServing = false;

  /** Resolves when a transfer may begin, with a function to call at its end. @throws if the client leaves before */
  async begin({ site, signal }: TcpClient, isSecondary: boolean): Promise<() => void> {
    const limiter = isSecondary ? this.#ofSecondaries : this.#ofOthers;
    const leave = await new Promise<() => void>((begin, abandon) => {
      limiter.run(site, () => new Promise<void>((end) => begin(end)), signal).catch(abandon);
    });
    const receiver = this.#receivers.get(site) ?? { transfers: 0, waiting: [], octets: 0 };
    this.#receivers.set(site, receiver);
    receiver.transfers++;
    return () => {
      receiver.transfers--;
      this.#forget(site, receiver);
      leave();
    };
  }

  /** The same messages of a transfer that has begun; each is written when it is taken. @throws if the client leaves */
  async *write({ site, signal }: TcpClient, messages: Generator<Buffer>): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.#leftInTurn <= 0 || this.#isBehind(site))
        await new Promise<void>((resolve) => {
          this.#receivers.get(site)?.waiting.push(resolve);
          if (!this.#isServing) void this.#serve();
        });
      signal.throwIfAborted();
      const { value, done } = messages.next();
      if (done) return;
      this.#count(site, value.length);
      yield value;
    }
  }

  async #serve(): Promise<void> {
    this.#isServing = true;
    for (;;) {
      await yieldToEventLoop();
      this.#leftInTurn = octetsInTurn;
      const next = this.#next();
      if (next === undefined) break;
      next.waiting.shift()?.();
    }
    this.#isServing = false;
  }

  /** Whether another site waits that was sent less. */
  #isBehind(site: string): boolean {
    const [next, receiver] = [this.#next(), this.#receivers.get(site)];
    return next !== undefined && receiver !== undefined && next.octets < receiver.octets;
  }

  /** The site that was sent least, of those that wait. */
  #next(): Receiver | undefined {
    let next: Receiver | undefined;
    for (const receiver of this.#receivers.values())
      if (receiver.waiting.length > 0 && (next === undefined || receiver.octets < next.octets)) next = receiver;
    return next;
  }

  #count(site: string, octets: number): void {
    const receiver = this.#receivers.get(site);
    if (receiver) receiver.octets += octets;
    this.#leftInTurn -= octets;
    this.#octets += octets;
    if (this.#octets < halving) return;
    this.#octets = 0;
    for (const [site, receiver] of this.#receivers) {
      receiver.octets /= 2;
      this.#forget(site, receiver);
    }
  }

  #forget(site: string, { transfers, octets }: Receiver): void {
    if (transfers === 0 && octets < fewest) this.#receivers.delete(site);
  }
}
