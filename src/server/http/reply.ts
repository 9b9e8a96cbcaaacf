import { yieldToEventLoop } from "../store/event-loop.ts";

/** A reply before it is sent. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Null for none. A long one is a list of pieces, of which each is sent in a turn of the event loop. */
  readonly body: string | Uint8Array | readonly Uint8Array[] | null;
}

export function toResponse({ status, headers, body }: Reply): Response {
  const entries = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((value) => [name, value]));
  const init = { status, headers: entries as [string, string][] };
  if (body === null || typeof body === "string" || body instanceof Uint8Array)
    return new Response(body as string | null, init);
  const length = body.reduce((sum, piece) => sum + piece.length, 0);
  return new Response(streamOf(body), { status, headers: [...init.headers, ["Content-Length", String(length)]] });
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
export async function readResponse(response: Response): Promise<Reply> {
  const headers: Record<string, string | string[]> = Object.fromEntries(response.headers);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers["set-cookie"] = cookies;
  const body = response.body === null ? null : new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers, body };
}
