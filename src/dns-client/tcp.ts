import { connect } from "node:net";
import { count } from "../diagnostics/quantities.ts";
import { addFrame, Frames } from "../dns/transfer/frames.ts";
import { abortedError, TransferError } from "../dns/transfer/transfer-error.ts";
import { onAbort } from "./on-abort.ts";
import type { ServerAddress, TimeBounds } from "./server-address.ts";

interface TcpOptions extends TimeBounds {
  readonly signal?: AbortSignal | undefined;
  /** Called before the first octet of the message is sent. */
  readonly onConnect?: () => void;
  /** The number of records received so far. */
  readonly recordCount?: () => number;
}

/**
 * Sends one message over a new TCP connection and yields the messages that come back, until the connection is closed or
 * lost, or the caller ends the stream.
 * @throws {TransferError} `transfer/connect`, `transfer/timeout`, `transfer/aborted`
 */
export async function* overTcp(
  message: Uint8Array,
  { host, port }: ServerAddress,
  { connectMs, idleMs, totalMs, signal, onConnect, recordCount = () => 0 }: TcpOptions,
): AsyncGenerator<Buffer> {
  if (signal?.aborted) throw abortedError();
  const socket = connect({ host, port });
  const destroyAfter = (ms: number, error: () => TransferError) => setTimeout(() => socket.destroy(error()), ms);
  let isAnswered = false;
  const timers = [
    destroyAfter(connectMs, () => connectError(`within ${count(connectMs / 1000, "second")}`)),
    destroyAfter(totalMs, () => slowError(`has not completed its response within ${count(totalMs / 1000, "second")}`)),
  ];
  let isConnected = false;
  const ignore = onAbort(signal, () => socket.destroy(abortedError()));
  let idle: NodeJS.Timeout | undefined;
  socket.once("connect", () => {
    isConnected = true;
    onConnect?.();
    clearTimeout(timers[0]);
    idle = destroyAfter(idleMs, () =>
      slowError(`has ${isAnswered ? "sent no new record" : "not answered"} within ${count(idleMs / 1000, "second")}`),
    );
  });
  try {
    socket.write(addFrame(message));
    const frames = new Frames();
    let counted = 0;
    for await (const chunk of socket) {
      for (const message of frames.take(chunk as Buffer)) {
        isAnswered = true;
        yield message;
        // Only records count: a server may send an octet or an empty message a second.
        if (recordCount() > counted) idle?.refresh();
        counted = recordCount();
      }
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    if (!isConnected) throw connectError(`(${code})`);
    // A lost connection ends the stream like a closed one: Node does not always tell them apart.
  } finally {
    for (const timer of [...timers, idle]) clearTimeout(timer);
    ignore();
    socket.destroy();
  }
}

function connectError(reason: string): TransferError {
  return new TransferError("transfer/connect", `cannot connect to the server ${reason}`, "Check its address and port.");
}

function slowError(summary: string): TransferError {
  const fix = "Try again later, or use another server of the zone.";
  return new TransferError("transfer/timeout", `the server ${summary}`, fix);
}
