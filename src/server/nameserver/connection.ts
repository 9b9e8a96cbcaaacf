import type { Socket } from "node:net";
import { plainAddress } from "../../dns/name/address.ts";
import { addFrames, Frames } from "../../dns/transfer/frames.ts";
import { networkOf, siteOf } from "../kit/network.ts";
import type { StoreVersion } from "../store/driver.ts";
import { type AnswerContext, answerAny, answerFastSafely } from "./answer-safely.ts";
import type { TcpClient } from "./client.ts";
import type { SlotHolder } from "./slots.ts";

/**
 * Octets of queries from which on a connection is not read, and of answers that its peer has not taken, from which on
 * it gets no further one.
 */
export const mostQueued = 2 ** 14;

/** Times after which a connection is closed, in milliseconds. */
export const longestMs = {
  /** Without a query (RFC 7766 §6.2.3). */
  idle: 10_000,
  /**
   * Without taking any of the answers that wait. The system shows progress of a peer on a slow link only each time when
   * it has taken some 30 kB.
   */
  untaken: 30_000,
  /** From the first octet of a query to the last. */
  incomplete: 5000,
};

/** The handle of a socket is not documented, but the same in Node 20 to 24. */
type SocketWithHandle = Socket & { readonly _handle: { readonly writeQueueSize: number } | null };

/** The queries of a connection that are answered in one turn of the event loop. */
export interface Share {
  /** Limit on all queries. */
  readonly queries: number;
  readonly version: StoreVersion | undefined;
  /** Called for a query that takes longer, see `answerOther`: whether it may begin in this turn. */
  readonly mayBegin: () => boolean;
}

interface ConnectionOptions {
  readonly context: AnswerContext;
  /** Called when it has queries to answer, which wait for `answer`. */
  readonly onReady: (connection: TcpConnection) => void;
  readonly onSigned: (connection: TcpConnection) => void;
}

/**
 * The TCP connection of a client. Its queries are answered in their order. The next one waits until there is room for
 * its answer, and so does each message of a transfer.
 */
export class TcpConnection implements TcpClient, SlotHolder {
  readonly transport = "tcp" as const;
  readonly address: string;
  readonly network: string;
  readonly site: string;
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #frames = new Frames();
  readonly #leaving = new AbortController();
  /** Whether a query that takes longer is being answered. */
  #isBusy = false;
  #hasEnded = false;
  #lastTaken = performance.now();
  /** Octets of answers that the system had not taken when they were last looked at. */
  #untaken = 0;
  /** When the first octet of an incomplete query arrived. */
  #begun = 0;
  #onRoom: (() => void) | undefined;

  constructor(socket: Socket, options: ConnectionOptions) {
    this.address = plainAddress(socket.remoteAddress ?? "");
    this.network = networkOf(this.address);
    this.site = siteOf(this.address);
    this.#socket = socket;
    this.#options = options;
    socket.on("data", (chunk) => this.#take(chunk));
    socket.on("drain", () => this.#makeRoom());
    socket.on("end", () => {
      this.#hasEnded = true;
      this.#proceed();
    });
    socket.on("error", () => {}); // the peer has disconnected
    socket.on("close", () => {
      this.#leaving.abort();
      this.#onRoom?.();
    });
  }

  get signal(): AbortSignal {
    return this.#leaving.signal;
  }

  onSigned(): void {
    this.#options.onSigned(this);
  }

  /** The whole queries that can be answered now. */
  get answerable(): number {
    return this.#isBusy || this.#socket.writableNeedDrain || this.#socket.destroyed ? 0 : this.#frames.whole;
  }

  get activity(): SlotHolder["activity"] {
    const { writableLength } = this.#socket;
    if (writableLength === 0) return this.#isBusy || this.#frames.whole > 0 ? "busy" : "idle";
    return performance.now() - this.#lastTaken >= longestMs.idle ? "stalled" : "busy";
  }

  get lastTaken(): number {
    return this.#lastTaken;
  }

  isOverdue(now: number): boolean {
    this.#noteProgress(now);
    if (this.#socket.writableLength > 0) return now - this.#lastTaken >= longestMs.untaken;
    if (this.activity === "busy") return false;
    if (this.#frames.incomplete === 0) return now - this.#lastTaken >= longestMs.idle;
    return now - Math.max(this.#begun, this.#lastTaken) >= longestMs.incomplete;
  }

  /** Answers the next queries, until one takes longer or there is no room. */
  answer({ queries, version, mayBegin }: Share): void {
    const { transport, address } = this;
    const place = version === undefined ? undefined : ({ transport, address, version } as const);
    const answers: Buffer[] = [];
    let longer: Buffer | undefined;
    let octets = 0;
    for (let left = queries; left > 0 && octets < mostQueued && longer === undefined; left--) {
      const query = this.answerable > 0 ? this.#frames.first : undefined;
      if (query === undefined) break;
      const answer = place && answerFastSafely(query, place, this.#options.context);
      if (answer === undefined && !mayBegin()) break;
      this.#frames.shift();
      if (answer === undefined) longer = query;
      else if (answer !== "none") {
        answers.push(answer);
        octets += answer.length;
      }
    }
    if (answers.length > 0) this.#send(answers);
    if (longer) void this.#answerOther(longer);
    this.#proceed();
  }

  close(): void {
    this.#socket.destroy();
  }

  async #answerOther(query: Buffer): Promise<void> {
    this.#isBusy = true;
    for await (const answer of answerAny(query, this, this.#options.context)) {
      this.#send([answer]);
      if (this.#socket.writableNeedDrain)
        await new Promise<void>((resolve) => {
          this.#onRoom = resolve;
        });
      if (this.#socket.destroyed) break;
    }
    this.#isBusy = false;
    this.#proceed();
  }

  #take(chunk: Buffer): void {
    const { whole, incomplete } = this.#frames;
    this.#frames.add(chunk);
    if (incomplete === 0 || this.#frames.whole > whole) this.#begun = performance.now();
    this.#proceed();
  }

  #send(answers: readonly Buffer[]): void {
    this.#socket.write(addFrames(answers));
    this.#lastTaken = performance.now();
  }

  /** No event tells that the system has taken a part of a write. */
  #noteProgress(now: number): void {
    const { _handle: handle } = this.#socket as SocketWithHandle;
    const untaken = handle?.writeQueueSize ?? 0;
    if (untaken !== this.#untaken) this.#lastTaken = now;
    this.#untaken = untaken;
  }

  #makeRoom(): void {
    this.#lastTaken = performance.now();
    this.#onRoom?.();
    this.#proceed();
  }

  /** Answers, reads or ends, whichever is next. */
  #proceed(): void {
    const { whole, waiting } = this.#frames;
    if (this.answerable > 0) this.#options.onReady(this);
    else if (this.#hasEnded && whole === 0 && !this.#isBusy) this.#socket.end();
    if (this.#socket.writableNeedDrain || (whole > 0 && waiting >= mostQueued)) this.#socket.pause();
    else this.#socket.resume();
  }
}
