import type { RemoteInfo, Socket } from "node:dgram";
import { plainAddress } from "../../dns/name/address.ts";
import type { StoreVersion } from "../store/driver.ts";
import { type AnswerContext, answerAny, answerFastSafely } from "./answer-safely.ts";
import type { QueryQueue, Turns } from "./turns.ts";

interface Datagram {
  readonly octets: Buffer;
  readonly peer: RemoteInfo;
}

/** Answers datagrams. */
export class Datagrams implements QueryQueue {
  readonly #socket: Socket;
  readonly #context: AnswerContext;
  readonly #turns: Turns;
  readonly #most: number;
  #arrived: Datagram[] = [];
  #chosen: Datagram[] = [];
  #unanswered = 0;
  readonly #running = new Set<Promise<void>>();

  /** `most` limits the datagrams that wait for an answer; more are dropped, and resolvers ask again. */
  constructor(socket: Socket, context: AnswerContext, turns: Turns, most: number) {
    this.#socket = socket;
    this.#context = context;
    this.#turns = turns;
    this.#most = most;
  }

  take(octets: Buffer, peer: RemoteInfo): void {
    // Port 0 cannot be answered (RFC 768), and sending there throws.
    if (peer.port === 0 || this.#unanswered >= this.#most) return;
    this.#unanswered++;
    if (this.#arrived.push({ octets, peer }) === 1) this.#turns.request();
  }

  choose(): boolean {
    this.#chosen = this.#arrived;
    this.#arrived = [];
    return this.#chosen.length > 0;
  }

  answer(version: StoreVersion | undefined): void {
    for (const datagram of this.#chosen) this.#answer(datagram, version);
    this.#chosen = [];
  }

  /** Resolves when all that were chosen have been answered. */
  async end(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #answer({ octets, peer }: Datagram, version: StoreVersion | undefined): void {
    const { address, port } = peer;
    const reply =
      version === undefined
        ? undefined
        : answerFastSafely(octets, { transport: "udp", address, version }, this.#context);
    if (reply === undefined) return this.#run(this.#answerOther(octets, peer));
    this.#unanswered--;
    if (reply !== "none") this.#socket.send(reply, port, address);
  }

  async #answerOther(octets: Buffer, { address, port }: RemoteInfo): Promise<void> {
    try {
      const client = { transport: "udp", address: plainAddress(address) } as const;
      for await (const reply of answerAny(octets, client, this.#context)) this.#socket.send(reply, port, address);
    } finally {
      this.#unanswered--;
    }
  }

  #run(work: Promise<void>): void {
    const ended = work.finally(() => this.#running.delete(ended));
    this.#running.add(ended);
  }
}
