import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from "node:http";
import { yieldToEventLoop } from "../store/event-loop.ts";
import type { ClientConnection } from "./client-connection.ts";
import { type HttpReply, lengthOf } from "./reply.ts";

/** Limits on the rest of a body that is not read: longer than a client needs that stops sending once it has a reply. */
const rest = { milliseconds: 500, octets: 64 * 2 ** 20, chunks: 4096 };

/** Octets of a body that the system usually takes at once. */
const small = 2 ** 16;

/** Sends a reply, as fast as it is taken. Nothing happens if the connection has ended. */
export async function sendReply(
  { status, headers, body }: HttpReply,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  connection: ClientConnection,
): Promise<void> {
  if (outgoing.destroyed || !incoming.socket.writable) return;
  if (!incoming.complete) dropRest(incoming);
  if (connection.isEnding) outgoing.shouldKeepAlive = false; // or the client would send its next request in vain
  const length = body === null ? 0 : lengthOf(body);
  outgoing.writeHead(status, body === null ? headers : withLength(headers, length));
  if (body === null) outgoing.end();
  else if (typeof body === "string" || (body instanceof Uint8Array && length <= small)) outgoing.end(body);
  else {
    const pieces = body instanceof Uint8Array ? [body] : body;
    await sendPieces(pieces, outgoing, () => connection.awaitTaking(length));
  }
  const untaken = outgoing.writableLength;
  if (untaken > 0) connection.awaitTaking(Math.max(untaken, length));
}

/** Headers as a list, to which V8 adds an entry faster than to a copy of an object. */
function withLength(headers: HttpReply["headers"], octets: number): OutgoingHttpHeader[] {
  const list: OutgoingHttpHeader[] = [];
  for (const name in headers) list.push(name, headers[name] as string | string[]);
  list.push("Content-Length", octets);
  return list;
}

/**
 * Sends one piece per turn of the event loop, each when those before it are taken. It ends when all are taken: when the
 * server closes, Node closes connections whose reply has ended.
 */
async function sendPieces(
  pieces: readonly Uint8Array[],
  outgoing: ServerResponse,
  awaitTaking: () => void,
): Promise<void> {
  for (const piece of pieces) {
    await yieldToEventLoop();
    if (outgoing.destroyed) return;
    if (outgoing.write(piece)) continue;
    awaitTaking();
    await drain(outgoing);
  }
  outgoing.end();
}

/** Resolves when there is room for the next piece, or the client has disconnected. */
function drain(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      outgoing.off("drain", end).off("close", end);
      resolve();
    };
    outgoing.on("drain", end).on("close", end);
  });
}

/**
 * Reads the rest of a body and drops it: closing a connection with unread data would discard the reply (RFC 9112
 * §9.6). A client that sends much more is disconnected.
 */
function dropRest(incoming: IncomingMessage): void {
  let [octets, chunks] = [0, 0];
  const count = (chunk: Buffer) => {
    octets += chunk.length;
    if (octets > rest.octets || ++chunks > rest.chunks) end();
  };
  const end = () => {
    incoming.off("data", count);
    incoming.socket.destroySoon();
  };
  const late = setTimeout(end, rest.milliseconds).unref();
  incoming.on("data", count);
  incoming.once("close", () => clearTimeout(late));
  incoming.resume();
}
