import { connect, type Socket } from "node:net";
import { addFrame, Frames } from "../dns/transfer/frames.ts";
import { abortedError, TransferError } from "../dns/transfer/transfer-error.ts";
import type { ServerAddress, TimeBounds } from "./server-address.ts";

/**
 * Sends one message over a new TCP connection and yields the messages that come back, until the server or the caller
 * ends the stream.
 * @throws {TransferError} `transfer/connect`, `transfer/timeout`, `transfer/incomplete`, `transfer/aborted`
 */
export async function* overTcp(
  message: Uint8Array,
  { host, port }: ServerAddress,
  { connectMs, idleMs, totalMs }: TimeBounds,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  if (signal?.aborted) throw abortedError();
  const socket = connect({ host, port });
  const stop = () => socket.destroy(abortedError());
  const timers = [
    destroyAfter(socket, connectMs, "connected"),
    destroyAfter(socket, totalMs, "completed the transfer"),
  ];
  let isConnected = false;
  signal?.addEventListener("abort", stop);
  let idle: NodeJS.Timeout | undefined;
  socket.once("connect", () => {
    isConnected = true;
    clearTimeout(timers[0]);
    idle = destroyAfter(socket, idleMs, "sent a message");
  });
  try {
    socket.write(addFrame(message));
    const frames = new Frames();
    for await (const chunk of socket) {
      for (const message of frames.take(chunk as Buffer)) {
        yield message;
        // Only whole messages count: a server may send an octet a second.
        idle?.refresh();
      }
    }
  } catch (error) {
    throw toTransferError(error, isConnected);
  } finally {
    for (const timer of [...timers, idle]) clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    socket.destroy();
  }
}

function destroyAfter(socket: Socket, ms: number, what: string): NodeJS.Timeout {
  return setTimeout(() => socket.destroy(timeoutError(ms, what)), ms);
}

function timeoutError(ms: number, what: string) {
  const fix = "Use another server, or allow more time.";
  return new TransferError("transfer/timeout", `the server has not ${what} within ${ms / 1000} seconds`, fix);
}

/** Translates the system's errors of a connection; others are unchanged. */
function toTransferError(error: unknown, isConnected: boolean): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const code = String(error.code);
  if (isConnected)
    return new TransferError(
      "transfer/incomplete",
      `the connection was lost (${code})`,
      "Try again, or use another server.",
    );
  return new TransferError("transfer/connect", `cannot connect to the server (${code})`, "Check its address and port.");
}
