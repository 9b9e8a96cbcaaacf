import type { Agent } from "undici";
import { ProblemError, problem } from "../diagnostics/problem.ts";

/**
 * Carries one HTTP request to the service. It rejects when there is no whole reply; every reply, also a 500, resolves.
 */
export type Send = (request: Request) => Promise<Response>;

export interface SendOptions {
  /** How long to wait for the reply's headers, and between two pieces of its body, in milliseconds. */
  timeoutMs?: number;
  /** How long to wait for a connection and its TLS handshake, in milliseconds. */
  connectTimeoutMs?: number;
  /** How many requests may be under way at once; others wait for their turn, and no time limit runs for them. */
  connections?: number;
}

/** Why a request got no reply. Not `connected`: nothing of the request left this machine. */
export class SendError extends ProblemError {
  readonly connected: boolean;
  /** The time limit that ran out, in milliseconds. */
  readonly timeoutMs: number | undefined;

  constructor(connected: boolean, timeoutMs: number | undefined, cause: unknown) {
    super(connected ? problem("transport/failed", "no reply") : problem("transport/connect", "no connection"), {
      cause,
    });
    this.name = "SendError";
    this.connected = connected;
    this.timeoutMs = timeoutMs;
  }
}

/**
 * Sends over HTTP/1.1 with connections that are kept and used again, and follows no redirect. Idle connections do not
 * keep a program alive; `close` waits for what is under way and then closes them.
 * @throws {SendError} without a whole reply; the reason of the request's signal when that aborts.
 */
export function createSend(options: SendOptions = {}): Send & { close(): Promise<void> } {
  const { timeoutMs = 30_000, connectTimeoutMs = Math.min(timeoutMs, 10_000), connections = 8 } = options;
  let opened: Promise<Transport> | undefined;
  const send = async (request: Request): Promise<Response> => {
    opened ??= openTransport({ timeoutMs, connectTimeoutMs, connections });
    const { undici, agent } = await opened;
    try {
      // undici's fetch would hide which step failed, and does not take the Request of another copy of undici.
      const { statusCode, headers, body } = await undici.request(request.url, {
        dispatcher: agent,
        method: request.method,
        headers: Object.fromEntries(request.headers),
        body: request.body === null ? null : Buffer.from(await request.arrayBuffer()),
        signal: request.signal,
      });
      const bytes = await body.arrayBuffer();
      return new Response(bodyless.has(statusCode) ? null : bytes, { status: statusCode, headers: flat(headers) });
    } catch (error) {
      if (request.signal.aborted || error instanceof SendError) throw error;
      const { HeadersTimeoutError, BodyTimeoutError } = undici.errors;
      const isTimeout = error instanceof HeadersTimeoutError || error instanceof BodyTimeoutError;
      throw new SendError(true, isTimeout ? timeoutMs : undefined, error);
    }
  };
  return Object.assign(send, { close: async () => (await opened)?.agent.close() });
}

interface Transport {
  readonly undici: typeof import("undici");
  readonly agent: Agent;
}

/**
 * Connections through undici, which takes longer to load than all of the client: nobody waits for it before the first
 * request.
 */
async function openTransport(options: Required<SendOptions>): Promise<Transport> {
  const { timeoutMs, connectTimeoutMs, connections } = options;
  const undici = await import("undici");
  const connect = undici.buildConnector({ timeout: connectTimeoutMs });
  const agent = new undici.Agent({
    connections,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    // A code like ECONNRESET does not tell a handshake from a sent request. The place where it came up does.
    connect: (target, done) =>
      connect(target, (...[error, socket]) => {
        if (!error) return done(null, socket);
        const isTimeout = error instanceof undici.errors.ConnectTimeoutError;
        done(new SendError(false, isTimeout ? connectTimeoutMs : undefined, error), null);
      }),
  });
  return { undici, agent };
}

/** Replies that the Response constructor lets have no body. */
const bodyless = new Set([204, 205, 304]);

function flat(headers: Record<string, string | string[] | undefined>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
}
