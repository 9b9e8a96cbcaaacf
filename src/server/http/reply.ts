import type { ApiRequest } from "../kit/request.ts";
import { yieldToEventLoop } from "../store/event-loop.ts";
import { namesTag, type PublicText } from "../web/public-text.ts";

/** A reply before it is sent. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Null for none. A long one is a list of pieces, of which each is sent in a turn of the event loop. */
  readonly body: string | Uint8Array | readonly Uint8Array[] | null;
}

/**
 * The reply with a public text, or 304 for a client that has it, with the headers that it would have had, apart from
 * those that describe the text (RFC 9110 §15.4.5).
 */
export function replyWithText(
  { pieces, etag }: PublicText,
  headers: HttpReply["headers"],
  request: ApiRequest,
): HttpReply {
  // Copies for each client may be kept, but are used only after they were found unchanged.
  const all: HttpReply["headers"] = { ...headers, "Cache-Control": "no-cache", ETag: etag };
  if (!namesTag(request.headers.get("If-None-Match"), etag)) return { status: 200, headers: all, body: pieces };
  const { "Content-Type": _, ...others } = all;
  return { status: 304, headers: others, body: null };
}

/** The reply to HEAD: that to GET without its body (RFC 9110 §9.3.2). */
export function withoutBody({ status, headers, body }: HttpReply): HttpReply {
  if (body === null) return { status, headers, body };
  return { status, headers: { ...headers, "Content-Length": String(lengthOf(body)) }, body: null };
}

/** The octets of a body. */
export function lengthOf(body: NonNullable<HttpReply["body"]>): number {
  if (typeof body === "string" || body instanceof Uint8Array) return Buffer.byteLength(body);
  return body.reduce((sum, piece) => sum + piece.length, 0);
}

export function toResponse({ status, headers, body }: HttpReply): Response {
  const entries = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((value) => [name, value]));
  const init = { status, headers: entries as [string, string][] };
  if (body === null || typeof body === "string" || body instanceof Uint8Array)
    return new Response(body as string | null, init);
  const length = String(lengthOf(body));
  return new Response(streamOf(body), { status, headers: [...init.headers, ["Content-Length", length]] });
}

/** A stream of one piece per turn of the event loop, as fast as they are read. */
function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const left = pieces.values();
  return new ReadableStream(
    {
      async pull(controller) {
        await yieldToEventLoop();
        const { value, done } = left.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The reply that a `Response` describes. Its body is read whole. */
export async function readResponse(response: Response): Promise<HttpReply> {
  const headers: Record<string, string | string[]> = Object.fromEntries(response.headers);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers["set-cookie"] = cookies;
  const body = response.body === null ? null : new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers, body };
}
