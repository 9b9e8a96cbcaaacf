import type { RemoteInfo, Socket } from "node:dgram";
import type { StoreVersion } from "../store/driver.ts";
import { type AnswerContext, answerOther, answerPlainSafely } from "./answer-safely.ts";

interface Datagram {
  readonly octets: Buffer;
  readonly peer: RemoteInfo;
}

/**
 * Answers datagrams. Reads the version of the store once for all that arrive in one turn of the event loop, after the
 * last of them. So no answer is older than its question, also when another process changed the zone. Datagrams that
 * arrive while PostgreSQL reads the version share the next read, so that they take one of its connections.
 */
export class Datagrams {
  readonly #socket: Socket;
  readonly #context: AnswerContext;
  readonly #most: number;
  #arrived: Datagram[] = [];
  #unanswered = 0;
  #isReading = false;
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
    if (peer.port === 0 || this.#unanswered >= this.#most) return;
    this.#unanswered++;
    if (this.#arrived.push({ octets, peer }) === 1) setImmediate(this.#answerArrived);
  }

  /** Resolves when all have been answered. */
  async end(): Promise<void> {
    this.#answerAll();
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #answerAll(): void {
    if (this.#isReading || this.#arrived.length === 0) return;
    const arrived = this.#arrived;
    this.#arrived = [];
    const version = this.#context.zones.known?.version();
    const answer = (version: StoreVersion | undefined) => {
      for (const datagram of arrived) this.#answer(datagram, version);
    };
    if (version instanceof Promise) this.#run(this.#answerAfter(version, answer));
    else answer(version);
  }

  async #answerAfter(
    version: Promise<StoreVersion | undefined>,
    answer: (version: StoreVersion | undefined) => void,
  ): Promise<void> {
    this.#isReading = true;
    try {
      answer(await version);
    } finally {
      this.#isReading = false;
      this.#answerAll();
    }
  }

  #answer({ octets, peer }: Datagram, version: StoreVersion | undefined): void {
    const { address, port } = peer;
    const place = { transport: "udp", address, version } as const;
    const reply = version === undefined ? undefined : answerPlainSafely(octets, { ...place, version }, this.#context);
    if (reply === undefined) return this.#run(this.#answerOther(octets, peer));
    this.#unanswered--;
    if (reply !== "none") this.#socket.send(reply, port, address);
  }

  async #answerOther(octets: Buffer, { address, port }: RemoteInfo): Promise<void> {
    try {
      for await (const reply of answerOther(octets, { transport: "udp", address }, this.#context))
        this.#socket.send(reply, port, address);
    } finally {
      this.#unanswered--;
    }
  }

  #run(work: Promise<void>): void {
    const ended = work.finally(() => this.#running.delete(ended));
    this.#running.add(ended);
  }
}
