import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { abortedError, TransferError } from "../dns/transfer/transfer-error.ts";
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
 * valid one arrives in time.
 * @throws {TransferError} also `transfer/connect`, `transfer/timeout`, `transfer/aborted`
 */
export async function overUdp<T>(
  message: Uint8Array,
  { host, port }: ServerAddress,
  read: (octets: Buffer) => T,
  { timeoutMs, attempts, signal }: UdpBounds & { readonly signal?: AbortSignal | undefined },
): Promise<T | undefined> {
  if (signal?.aborted) throw abortedError();
  const { address, family } = await lookup(host).catch((error) => {
    throw unreachable(error);
  });
  const socket = createSocket(family === 6 ? "udp6" : "udp4");
  const stop = () => socket.emit("error", abortedError());
  signal?.addEventListener("abort", stop);
  let timer: NodeJS.Timeout | undefined;
  try {
    socket.connect(port, address); // from now on, only datagrams of this server are received
    await once(socket, "connect");
    return await new Promise<T | undefined>((resolve, reject) => {
      let failure: unknown = new TransferError("transfer/timeout", `no response over UDP to ${attempts} queries`, slow);
      const send = (left: number) => {
        if (left === 0) return reject(failure);
        socket.send(message);
        timer = setTimeout(send, timeoutMs, left - 1);
      };
      socket.on("error", (error) => reject(unreachable(error)));
      let rejected = 0;
      socket.on("message", (octets) => {
        if (rejected === mostRejected) return resolve(undefined);
        try {
          resolve(read(octets));
        } catch (error) {
          failure = error;
          rejected++;
        }
      });
      send(attempts);
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    socket.close();
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
