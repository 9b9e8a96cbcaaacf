import { createSocket, type Socket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { abortedError, TransferError } from "../dns/transfer/transfer-error.ts";
import { onAbort } from "./on-abort.ts";
import type { ServerAddress } from "./server-address.ts";

export interface UdpBounds {
  /** Time to wait for a response before the message is sent again, in milliseconds. */
  readonly timeoutMs: number;
  /** The number of attempts. */
  readonly attempts: number;
}

/**
 * The datagrams that may be rejected for one message. More are a flood, in which a sender may guess the id: then TCP is
 * safer (RFC 5452 §9.3), and reading costs nothing.
 */
const mostRejected = 100;

/**
 * Sends one message over UDP and returns the result of `read` for the first datagram that it accepts; undefined in a
 * flood of others. Datagrams can be forged: one that `read` rejects is skipped, and its error is thrown only if no
 * valid one arrives in time. If the host has several addresses, each attempt is sent to the next one.
 * @throws {TransferError} also `transfer/connect`, `transfer/timeout`, `transfer/aborted`
 */
export async function overUdp<T>(
  message: Uint8Array,
  server: ServerAddress,
  read: (octets: Buffer) => T,
  { signal, ...bounds }: UdpBounds & { readonly signal?: AbortSignal | undefined },
): Promise<T | undefined> {
  if (signal?.aborted) throw abortedError();
  const sockets = await openSockets(server);
  const asking = new Asking<T>(message, sockets, { ...bounds, read });
  const ignore = onAbort(signal, () => asking.end(abortedError()));
  try {
    return await asking.answer();
  } finally {
    ignore();
    for (const socket of sockets) socket.close();
  }
}

/** Sockets that receive only datagrams of one address of the server each. @throws {TransferError} for none. */
async function openSockets({ host, port }: ServerAddress): Promise<readonly Socket[]> {
  try {
    const addresses = await lookup(host, { all: true });
    const opened = await Promise.allSettled(addresses.map(({ address, family }) => openSocket(address, family, port)));
    const sockets = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const failed = opened.find((one) => one.status === "rejected");
    if (sockets.length === 0 && failed) throw failed.reason;
    return sockets;
  } catch (error) {
    throw unreachable(error);
  }
}

async function openSocket(address: string, family: number, port: number): Promise<Socket> {
  const socket = createSocket(family === 6 ? "udp6" : "udp4");
  try {
    socket.connect(port, address);
    await once(socket, "connect");
    return socket;
  } catch (error) {
    socket.close();
    throw error;
  }
}

interface AskingOptions<T> extends UdpBounds {
  readonly read: (octets: Buffer) => T;
}

/** A message that is sent to the addresses of a server in turn until one answers. */
class Asking<T> {
  readonly #message: Uint8Array;
  readonly #options: AskingOptions<T>;
  /** The addresses that are not known to be unreachable. */
  #reachable: readonly Socket[];
  #failure: unknown;
  #rejected = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #answer: Promise<T | undefined>;
  #resolve: (answer: T | undefined) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(message: Uint8Array, sockets: readonly Socket[], options: AskingOptions<T>) {
    this.#message = message;
    this.#reachable = sockets;
    this.#options = options;
    const queries = options.attempts * sockets.length;
    this.#failure = new TransferError("transfer/timeout", `no response over UDP to ${queries} queries`, slow);
    this.#answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    for (const socket of sockets) {
      socket.on("message", (octets) => this.#take(octets));
      socket.on("error", (error) => this.#leave(socket, error));
    }
  }

  answer(): Promise<T | undefined> {
    this.#send(0);
    return this.#answer.finally(() => clearTimeout(this.#timer));
  }

  end(error: unknown): void {
    this.#reject(error);
  }

  #send(sent: number): void {
    const { attempts, timeoutMs } = this.#options;
    const { length } = this.#reachable;
    clearTimeout(this.#timer);
    if (sent === attempts * length) return this.end(this.#failure);
    this.#reachable[sent % length]?.send(this.#message);
    this.#timer = setTimeout(() => this.#send(sent + 1), timeoutMs);
  }

  #take(octets: Buffer): void {
    if (this.#rejected === mostRejected) return this.#resolve(undefined);
    try {
      this.#resolve(this.#options.read(octets));
    } catch (error) {
      this.#failure = error;
      this.#rejected++;
    }
  }

  #leave(socket: Socket, error: unknown): void {
    this.#failure = unreachable(error);
    this.#reachable = this.#reachable.filter((one) => one !== socket);
    this.#send(0);
  }
}

function unreachable(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  return new TransferError(
    "transfer/connect",
    `the server is unreachable (${error.code})`,
    "Check its address and port.",
  );
}

const slow = "Try again later, or use another server of the zone.";
