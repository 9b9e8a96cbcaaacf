import type { Socket } from "node:net";
import { type AnswerRequest, ClientConnection } from "./client-connection.ts";

/** Limits on all connections together. */
export interface ConnectionLimits {
  /** Connections at once: beyond it, the one that is unused for the longest time is closed. */
  readonly connections: number;
  /**
   * Octets in memory of replies that are not taken and of requests that wait: beyond it, the connection is closed whose
   * client took nothing for the longest time.
   */
  readonly octets: number;
}

export const usualLimits: ConnectionLimits = { connections: 4096, octets: 2 ** 28 };

/** The connections of a port. */
export class ClientConnections {
  readonly replyTimeout: number;
  readonly answer: AnswerRequest;
  isClosing = false;
  readonly #limits: ConnectionLimits;
  readonly #open = new Map<Socket, ClientConnection>();
  /** Octets that wait, by connection; the one whose client took nothing for the longest time first. */
  readonly #waiting = new Map<ClientConnection, number>();
  #octets = 0;
  #uses = 0;

  constructor(answer: AnswerRequest, replyTimeout: number, limits: ConnectionLimits) {
    this.answer = answer;
    this.replyTimeout = replyTimeout;
    this.#limits = limits;
  }

  add(socket: Socket): void {
    if (this.#open.size >= this.#limits.connections && !this.#closeUnused()) return void socket.destroy();
    this.#open.set(socket, new ClientConnection(this, socket));
    socket.once("close", () => this.#open.delete(socket));
  }

  of(socket: Socket): ClientConnection | undefined {
    return this.#open.get(socket);
  }

  countUse(): number {
    return ++this.#uses;
  }

  setWaiting(connection: ClientConnection, octets: number): void {
    this.#octets += octets - (this.#waiting.get(connection) ?? 0);
    if (octets === 0) return void this.#waiting.delete(connection);
    this.#waiting.set(connection, octets);
    while (this.#octets > this.#limits.octets && this.#waiting.size > 1) this.#waiting.keys().next().value?.destroy();
  }

  /** Begins no more requests, and ends each connection once its reply is taken. */
  close(): void {
    this.isClosing = true;
    for (const connection of this.#open.values()) if (!connection.isAnswering) connection.end();
  }

  /** Ends all connections at once, also those that Node no longer counts because of a CONNECT. */
  destroy(): void {
    for (const connection of this.#open.values()) connection.destroy();
  }

  /**
   * Closes the connection without a request that is unused for the longest time, or else of those that wait for their
   * clients; false if there is neither.
   */
  #closeUnused(): boolean {
    const find = (isWanted: (connection: ClientConnection) => boolean) => {
      let unused: [Socket, ClientConnection] | undefined;
      for (const entry of this.#open)
        if (isWanted(entry[1]) && entry[1].lastUse < (unused?.[1].lastUse ?? Infinity)) unused = entry;
      return unused;
    };
    const closed = find((connection) => !connection.isAnswering) ?? find((connection) => !connection.isServed);
    if (closed === undefined) return false;
    const [socket, connection] = closed;
    this.#open.delete(socket);
    connection.destroy();
    return true;
  }
}
