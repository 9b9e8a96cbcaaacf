import { Agent, buildConnector, errors, request as undiciRequest } from "undici";
import { ProblemError, problem } from "../diagnostics/problem.ts";

/** Carries one HTTP request to the service. It rejects when there is no whole reply; every reply, also a 500, resolves. */
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
 * Sends over HTTP/1.1 with connections that are kept and used again, and follows no redirect. Idle connections do not keep
 * a program alive; `close` waits for what is under way and then closes them.
 * @throws {SendError} without a whole reply; the reason of the request's signal when that aborts.
 */
export function createSend(options: SendOptions = {}): Send & { close(): Promise<void> } {
  const { timeoutMs = 30_000, connectTimeoutMs = Math.min(timeoutMs, 10_000), connections = 8 } = options;
  const connect = buildConnector({ timeout: connectTimeoutMs });
  const agent = new Agent({
    connections,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    // A code like ECONNRESET does not tell a handshake from a sent request. The place where it came up does.
    connect: (target, done) =>
      connect(target, (...[error, socket]) =>
        error ? done(unconnected(error, connectTimeoutMs), null) : done(null, socket),
      ),
  });

  const send = async (request: Request): Promise<Response> => {
    try {
      // undici's fetch would hide which step failed, and does not take the Request of another copy of undici.
      const { statusCode, headers, body } = await undiciRequest(request.url, {
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
      throw new SendError(true, isTimeout(error) ? timeoutMs : undefined, error);
    }
  };
  return Object.assign(send, { close: () => agent.close() });
}

/** Replies that the Response constructor lets have no body. */
const bodyless = new Set([204, 205, 304]);

function unconnected(error: Error, connectTimeoutMs: number): SendError {
  return new SendError(false, error instanceof errors.ConnectTimeoutError ? connectTimeoutMs : undefined, error);
}

function isTimeout(error: unknown): boolean {
  return error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
}

function flat(headers: Record<string, string | string[] | undefined>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
}
