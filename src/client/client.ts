import { setTimeout as delay } from "node:timers/promises";
import type { Endpoint, Input, Reply } from "../contract/endpoint.ts";
import { type EndpointName, type EndpointTable, endpoints } from "../contract/endpoints/index.ts";
import type { ApiError } from "./api-error.ts";
import { readBaseUrl } from "./base-url.ts";
import { type AnyInput, buildCall, type Call } from "./call.ts";
import { classify } from "./failure.ts";
import { type AnnouncedLimit, Rate, type Turn } from "./rate.ts";
import { type RawReply, readReply } from "./reply.ts";
import { withRetries } from "./retry.ts";
import { bearer, createRedactor } from "./secret.ts";
import { createSend, type Send } from "./send.ts";
import { TransportError } from "./transport-error.ts";

export interface ClientOptions {
  /** Scheme and host, optionally with a path, like `http://127.0.0.1:4119`; see `readBaseUrl` for the version in it. */
  baseUrl: string;
  /**
   * A personal access token or an OAuth token (first document, Authentication). Without one, only open endpoints
   * answer.
   */
  token?: string | undefined;
  /** Carries the requests; the default is `createSend`, over the network. */
  send?: Send;
  /** How long the default `send` waits for a reply, in milliseconds; 30,000 unless given. */
  timeoutMs?: number;
  /** How many times a call is sent again where that is safe; 4 unless given. */
  retries?: number;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Waits; may end early, or reject, when the signal aborts. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** A number from 0 up to but not 1. */
  random?: () => number;
  /** Hears of each wait that the service asked for, with what it refused, in milliseconds. */
  onWait?: ((error: ApiError, ms: number) => void) | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Goes before all calls that wait for the rate limit; for what must follow at once (see `Rate`). */
  urgent?: boolean | undefined;
}

/** One method for each endpoint of the contract. An input in which everything is optional may be left out. */
export type Client = { readonly [Name in EndpointName]: ClientMethod<EndpointTable[Name]> };

/** The method of the client for an endpoint. */
export type ClientMethod<E extends Endpoint> =
  Record<never, never> extends Input<E>
    ? (input?: Input<E>, options?: CallOptions) => Promise<Reply<E>>
    : (input: Input<E>, options?: CallOptions) => Promise<Reply<E>>;

const rates = new WeakMap<object, Rate>();

/**
 * The limit that the service announced to this client last; undefined of what is no client, and before its first reply.
 */
export function announcedLimit(client: object): AnnouncedLimit | undefined {
  return rates.get(client)?.announced;
}

/**
 * A client of the whole API. Its methods reject with `ApiError` when the service refuses and with `TransportError` when
 * there is no usable reply, aborts included. They send again only what is safe to (see `withRetries`), and no faster
 * than the service's headers allow (see `Rate`).
 * @throws {ProblemError} when the base URL or the token cannot be used.
 */
export function createClient(options: ClientOptions): Client {
  const { token, send = createSend(options), retries = 4, now = Date.now, random = Math.random, onWait } = options;
  const { sleep = (ms: number, signal?: AbortSignal) => delay(ms, undefined, signal && { signal }) } = options;
  const base = readBaseUrl(options.baseUrl);
  const authorization = token === undefined ? undefined : bearer(token);
  const redactor = createRedactor(token);
  const rate = new Rate({ now, sleep });

  const attempt = async (call: Call, signal: AbortSignal | undefined, turn: Turn): Promise<unknown> => {
    const aborted = { kind: "aborted", what: "aborted" } as const;
    if (signal?.aborted) throw new TransportError(call, { ...aborted, outcome: "not-sent" }, signal.reason);
    const sent = now();
    const reply = await exchange(send, call, signal).catch((error: unknown) => {
      turn.failed();
      const failure = classify(error, call.origin, redactor);
      throw new TransportError(call, { ...failure, ...(signal?.aborted && aborted) }, redactor.error(error));
    });
    turn.replied(reply, now() - sent);
    return readReply(call, reply, redactor, now);
  };

  const method =
    (endpoint: Endpoint) =>
    async (input: AnyInput = {}, options: CallOptions = {}) => {
      const call = buildCall(base, authorization, endpoint, input);
      const turn = await rate.enter(endpoint.method === "GET" ? "reads" : "writes", options);
      const { signal } = options;
      try {
        return await withRetries(
          endpoint.method,
          () => attempt(call, signal, turn),
          { retries, sleep, random, onWait },
          signal,
        );
      } finally {
        turn.leave();
      }
    };
  const methods = Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => [name, method(endpoint)]);
  const client = Object.fromEntries(methods) as Client; // the walk over the table loses the types that Client takes from it
  rates.set(client, rate);
  return client;
}

/**
 * Sends once and reads the reply to its end; an abort rejects at once, also when `send` does not look at its signal.
 */
async function exchange(send: Send, call: Call, outer: AbortSignal | undefined): Promise<RawReply> {
  // A signal of its own: a Request leaves a listener on the signal that it gets, and callers keep theirs for a whole
  // run.
  const own = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    own.signal.addEventListener("abort", () => reject(own.signal.reason), { once: true });
  });
  const abort = () => own.abort(outer?.reason);
  outer?.addEventListener("abort", abort);
  try {
    return await Promise.race([receive(send, call.request(own.signal)), aborted]);
  } finally {
    outer?.removeEventListener("abort", abort);
  }
}

async function receive(send: Send, request: Request): Promise<RawReply> {
  const response = await send(request);
  return { status: response.status, headers: response.headers, text: await response.text() };
}
