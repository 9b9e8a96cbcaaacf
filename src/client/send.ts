import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import type { Proxies } from "./proxy.ts";
import { type HttpTransport, openTransport, ProxyRefusal, SendError } from "./transport.ts";

/** Sends one HTTP request to the service. Resolves with any complete reply, even a 500, and rejects otherwise. */
export type Send = (request: Request) => Promise<Response>;

export interface SendOptions {
  /**
   * Time limit for the reply's headers, and between two chunks of its body, in milliseconds. In each such time the body
   * also has to go on by 1 KiB a second, or end.
   */
  timeoutMs?: number;
  /** Time limit for a connection and its TLS handshake, in milliseconds. */
  connectTimeoutMs?: number;
  /** Maximum number of concurrent requests; others wait, without a time limit. */
  connections?: number;
  /** Most octets of a reply's body; reading a longer one fails. */
  maxBytes?: number;
  /** Proxies to pass through, as `findProxies` reads them from an environment; none unless given. */
  proxies?: Proxies | undefined;
}

/** A reply with a body that is longer than the limit. */
export class TooLongError extends Error {
  readonly code = "ERR_REPLY_TOO_LONG";
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`the reply is longer than ${maxBytes} octets`);
    this.maxBytes = maxBytes;
  }
}

/**
 * Sends over HTTP/1.1 with persistent connections, without following redirects. Idle connections do not keep a program
 * alive; `close` waits for requests in progress and then closes them. @throws {SendError} without a complete reply; on
 * an abort, the reason of the request's signal.
 */
export function createSend(options: SendOptions = {}): Send & { close(): Promise<void> } {
  const { timeoutMs = 30_000, connectTimeoutMs = Math.min(timeoutMs, 10_000), connections = 8 } = options;
  const { maxBytes = usualMaxBytes, proxies } = options;
  let opened: Promise<HttpTransport> | undefined;
  const send = async (request: Request): Promise<Response> => {
    opened ??= openTransport({ timeoutMs, connectTimeoutMs, connections }, proxies);
    const { undici, wayTo } = await opened;
    const { agent, origin, path, proxy, headers: ofProxy } = wayTo(new URL(request.url));
    try {
      // undici's fetch would hide which step failed, and does not accept a Request of another copy of undici.
      const { statusCode, headers, body } = await agent.request({
        origin,
        path,
        method: request.method as Dispatcher.HttpMethod,
        headers: { ...Object.fromEntries(request.headers), ...ofProxy },
        body: request.body === null ? null : Buffer.from(await request.arrayBuffer()),
        signal: request.signal,
      });
      if (proxy && statusCode === 407) {
        body.destroy();
        throw new SendError(false, undefined, new ProxyRefusal(statusCode), proxy);
      }
      const bytes = await readBody(watchProgress(body, timeoutMs), maxBytes);
      return new Response(bodyless.has(statusCode) ? null : bytes, {
        status: statusCode,
        headers: flattenHeaders(headers),
      });
    } catch (error) {
      if (request.signal.aborted || error instanceof SendError) throw error;
      const { HeadersTimeoutError, BodyTimeoutError } = undici.errors;
      const isTimeout = error instanceof HeadersTimeoutError || error instanceof BodyTimeoutError;
      throw new SendError(true, isTimeout ? timeoutMs : undefined, error);
    }
  };
  return Object.assign(send, { close: async () => (await opened)?.close() });
}

/** Far above the longest replies of this API and of GitHub's. */
const usualMaxBytes = 64 * 1024 * 1024;

async function readBody(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new TooLongError(maxBytes);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

const leastBytesPerSecond = 1024;

/** The chunks of a body, which fails once it goes on too slowly to end in any useful time. */
async function* watchProgress(body: Readable, timeoutMs: number): AsyncGenerator<Uint8Array> {
  const least = (leastBytesPerSecond * timeoutMs) / 1000;
  let bytes = 0;
  const timer = setInterval(() => {
    const reason = new DOMException(`the reply has less than ${leastBytesPerSecond} octets a second`, "TimeoutError");
    if (bytes < least) body.destroy(new SendError(true, timeoutMs, reason));
    bytes = 0;
  }, timeoutMs);
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      yield chunk;
    }
  } finally {
    clearInterval(timer);
  }
}

/** Statuses that must not have a body in the Response constructor. */
const bodyless = new Set([204, 205, 304]);

function flattenHeaders(headers: Record<string, string | string[] | undefined>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
}
