import type { RemoteInfo, Socket } from "node:dgram";
import type { StoreVersion } from "../store/driver.ts";
import { type AnswerContext, answerOther, answerPlainSafely } from "./answer-safely.ts";

interface Datagram {
  readonly octets: Buffer;
  readonly peer: RemoteInfo;
}

/**
 * Answers datagrams. Reads the version of the store once for all that arrive in one turn of the event loop, after the
 * last of them. So no answer is older than its question, also when another process changed the zone.
 */
export class Datagrams {
  readonly #socket: Socket;
  readonly #context: AnswerContext;
  readonly #most: number;
  #arrived: Datagram[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #answerArrived = () => this.#answerAll();

  /** `most` limits the datagrams that wait for an answer; more are dropped, and resolvers ask again. */
  constructor(socket: Socket, context: AnswerContext, most: number) {
    this.#socket = socket;
    this.#context = context;
    this.#most = most;
  }

  take(octets: Buffer, peer: RemoteInfo): void {
    // Port 0 cannot be answered (RFC 768), and sending there throws.
    if (peer.port === 0 || this.#running.size + this.#arrived.length >= this.#most) return;
    if (this.#arrived.push({ octets, peer }) === 1) setImmediate(this.#answerArrived);
  }

  /** Resolves when all have been answered. */
  async end(): Promise<void> {
    this.#answerAll();
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #answerAll(): void {
    const arrived = this.#arrived;
    this.#arrived = [];
    const version = this.#context.zones.known?.version();
    const answer = (version: StoreVersion | undefined) => {
      for (const datagram of arrived) this.#answer(datagram, version);
    };
    if (version instanceof Promise) this.#run(version.then(answer));
    else answer(version);
  }

  #answer({ octets, peer }: Datagram, version: StoreVersion | undefined): void {
    const { address, port } = peer;
    const place = { transport: "udp", address, version } as const;
    const reply = version === undefined ? undefined : answerPlainSafely(octets, { ...place, version }, this.#context);
    if (reply === undefined) this.#run(this.#answerOther(octets, peer));
    else if (reply !== "none") this.#socket.send(reply, port, address);
  }

  async #answerOther(octets: Buffer, { address, port }: RemoteInfo): Promise<void> {
    for await (const reply of answerOther(octets, { transport: "udp", address }, this.#context))
      this.#socket.send(reply, port, address);
  }

  #run(work: Promise<void>): void {
    const ended = work.finally(() => this.#running.delete(ended));
    this.#running.add(ended);
  }
}
