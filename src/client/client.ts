import { setTimeout as delay } from "node:timers/promises";
import type { Endpoint, Input, Reply } from "../contract/endpoint.ts";
import type { OpenRecordEndpoints } from "../contract/endpoints/domains.ts";
import { type EndpointName, type EndpointTable, endpoints, endpointsWith } from "../contract/endpoints/index.ts";
import { largestPageOf, type Page } from "../contract/page.ts";
import type { NewOpenRecord, OpenRecord, RecordsSetting } from "../contract/resources/open-record.ts";
import type { Spelling } from "../contract/words.ts";
import { ProblemError, problemError } from "../diagnostics/problem.ts";
import { durationInWords } from "../diagnostics/quantities.ts";
import { ApiError } from "./api-error.ts";
import { type AnyInput, buildCall, type Call, type CalledService } from "./call.ts";
import { classify } from "./failure.ts";
import { buildForm } from "./form.ts";
import { Rate, type RequestPermit, rates } from "./rate.ts";
import { type RawReply, readJsonReply, readReply } from "./reply.ts";
import { bearer, createRedactor, type Redactor, secretsOf, tokenSecrets } from "./secret.ts";
import { createSend, type Send } from "./send.ts";
import { SendError } from "./transport.ts";
import { TransportError } from "./transport-error.ts";

export interface ClientOptions {
  /**
   * Scheme and host, optionally with a path, such as `http://127.0.0.1:4119`; see `readBaseUrl` for the version in the
   * path.
   */
  baseUrl: string;
  /**
   * A personal access token or an OAuth token (decisions/documents#authentication). Without one, only open endpoints
   * can be called.
   */
  token?: string | undefined;
  /**
   * The words of the service: `live` for the hosted one, which calls a node a Linode. Inputs and results always have
   * those of the documents, the default.
   */
  words?: Spelling | undefined;
  /** The records of the service: `open` for a server that holds every type, whose records have `rdata`. */
  records?: RecordsSetting | undefined;
  /** Sends the requests; the default is `createSend`. Its own `ProblemError` rejects the call unchanged. */
  send?: Send;
  /** Time limit of the default `send` for a reply, in milliseconds; default 30,000. */
  timeoutMs?: number;
  /** Maximum number of safe retries of a call; default 4. */
  retries?: number;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Waits; may end early, or reject, when the signal aborts. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** A number from 0 up to but not 1. */
  random?: () => number;
  /** Called for each wait that the service requested, with its error reply and that time in milliseconds. */
  onWait?: ((error: ApiError, ms: number) => void) | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Sends the call before all others that wait for the rate limit (see `Rate`). */
  urgent?: boolean | undefined;
}

/** One method for each endpoint of the contract. An input with only optional parts may be omitted. */
export type Client = { readonly [Name in EndpointName]: ClientMethod<EndpointTable[Name]> };

export type ClientMethod<E extends Endpoint> =
  Record<never, never> extends Input<E>
    ? (input?: Input<E>, options?: CallOptions) => Promise<Reply<E>>
    : (input: Input<E>, options?: CallOptions) => Promise<Reply<E>>;

/** The methods of a client for a server that holds records of every type, which are a union by type. */
export type OpenRecordClient = Omit<Client, keyof OpenRecordEndpoints> & {
  readonly listRecords: OpenMethod<"listRecords", Page<OpenRecord>>;
  readonly getRecord: OpenMethod<"getRecord", OpenRecord>;
  readonly createRecord: OpenMethod<"createRecord", OpenRecord, { readonly body: NewOpenRecord }>;
  readonly updateRecord: OpenMethod<"updateRecord", OpenRecord>;
};

type OpenMethod<Name extends keyof OpenRecordEndpoints, Result, Sent = unknown> = (
  input: Omit<Input<OpenRecordEndpoints[Name]>, keyof Sent> & Sent,
  options?: CallOptions,
) => Promise<Result>;

/** The methods that only read: those of endpoints with the method GET. */
export type ReadingClient = {
  readonly [Name in EndpointName as EndpointTable[Name]["method"] extends "GET" ? Name : never]: Client[Name];
};

/**
 * Calls an endpoint with an input that is not typed. Resolves with the JSON of the reply as the service sent it, or
 * with undefined for a 204. Otherwise as a method of the client.
 */
export type UntypedCall = (endpoint: Endpoint, input: AnyInput, options?: CallOptions) => Promise<unknown>;

/** A client, and untyped calls that share its connections and its rate. */
export interface OpenedClient {
  readonly client: Client;
  readonly call: UntypedCall;
}

/**
 * Creates a client of the whole API. Its methods reject with `ApiError` on an error reply and with `TransportError`
 * without a usable reply, including aborts. They retry only when that is safe (see `withRetries`), and no faster than
 * the service's headers allow (see `Rate`). @throws {ProblemError} if the base URL or the token is invalid.
 */
export function createClient(options: ClientOptions & { records: "open" }): OpenRecordClient;
export function createClient(options: ClientOptions): Client;
export function createClient(options: ClientOptions): Client | OpenRecordClient {
  return openClient(options).client;
}

/** Creates a client as `createClient` does, for programs that also learn at run time which endpoint to call. */
export function openClient(options: ClientOptions): OpenedClient {
  const { token, send = createSend(options), retries = 4, now = Date.now, random = Math.random, onWait } = options;
  const { sleep = (ms: number, signal?: AbortSignal) => delay(ms, undefined, signal && { signal }) } = options;
  const service: CalledService = {
    base: readBaseUrl(options.baseUrl),
    authorization: token === undefined ? undefined : bearer(token),
    words: options.words ?? "documented",
  };
  const rate = new Rate({ now, sleep });

  const attempt = async (
    call: Call,
    tries: Tries,
    read: typeof readReply,
    signal: AbortSignal | undefined,
    permit: RequestPermit,
    redactor: Redactor,
  ): Promise<unknown> => {
    const aborted = { kind: "aborted", what: "aborted" } as const;
    if (signal?.aborted) throw new TransportError(call, { ...aborted, outcome: "not-sent" }, signal.reason);
    const sent = now();
    tries.count++;
    const reply = await exchange(send, call, signal).catch((error: unknown) => {
      if (error instanceof ProblemError && !(error instanceof SendError)) throw error;
      permit.reportFailure();
      const failure = classify(error, call.origin, redactor);
      const what = failure.kind === "timeout" ? `${failure.what}${triesText(tries, now())}` : failure.what;
      throw new TransportError(call, { ...failure, what, ...(signal?.aborted && aborted) }, redactor.error(error));
    });
    permit.reportReply(reply, now() - sent);
    return read(call, reply, redactor, now);
  };

  const callWith =
    (read: typeof readReply): UntypedCall =>
    async (endpoint, input, options = {}) => {
      const form = endpoint.media && { body: await buildForm(input.body) };
      const call = buildCall(service, endpoint, { ...input, ...form });
      const redactor = createRedactor([...tokenSecrets(token), ...secretsOf(endpoint, input.body)]);
      const permit = await rate.enter(endpoint.limit ?? (endpoint.method === "GET" ? "reads" : "writes"), options);
      const { signal } = options;
      const tries = { begun: now(), count: 0 };
      try {
        return await withRetries(
          endpoint.method,
          () => attempt(call, tries, read, signal, permit, redactor),
          { retries, sleep, random, onWait },
          signal,
        );
      } finally {
        permit.leave();
      }
    };
  const callTyped = callWith(readReply);
  const method = (endpoint: Endpoint) => (input?: AnyInput, options?: CallOptions) =>
    callTyped(endpoint, input ?? {}, options);
  const methods = Object.entries<Endpoint>(endpointsWith(options.records)).map(([name, endpoint]) => [
    name,
    Object.assign(method(endpoint), { largestPage: largestPageOf(endpoint.query) }),
  ]);
  const client = Object.fromEntries(methods) as Client; // iterating over the table loses the types that `Client` derives from it
  rates.set(client, rate);
  return { client, call: callWith(readJsonReply) };
}

/** A client that has no method to write with; it shares the connections and the rate of the given one. */
export function readingClient(client: Client): ReadingClient {
  const reads = Object.entries(endpoints).filter(([, { method }]) => method === "GET");
  const methods = reads.map(([name]) => [name, client[name as EndpointName]]);
  const reading = Object.fromEntries(methods) as ReadingClient; // as above
  const rate = rates.get(client);
  if (rate) rates.set(reading, rate);
  return reading;
}

/** The attempts of a call, and the time of the first in milliseconds since 1970. */
interface Tries {
  readonly begun: number;
  count: number;
}

function triesText({ begun, count }: Tries, now: number): string {
  return count === 1 ? "" : ` (${count} attempts in ${durationInWords(Math.round((now - begun) / 1000))})`;
}

/** Sends once and reads the whole reply. An abort rejects immediately, even if `send` ignores its signal. */
async function exchange(send: Send, call: Call, outer: AbortSignal | undefined): Promise<RawReply> {
  // A separate signal: a Request leaves a listener on its signal, and callers use theirs for a whole run.
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

interface RetryPolicy {
  /** The maximum number of retries of a call. */
  retries: number;
  /** Waits; may end early, or reject, when the signal aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** A number from 0 up to but not 1. */
  random: () => number;
  /** Called for each wait that the service requested, with that time in milliseconds. */
  onWait?: ((error: ApiError, ms: number) => void) | undefined;
}

/**
 * The maximum of the random wait before the second attempt, in milliseconds, doubled for each further one (full
 * jitter).
 */
const firstWaitMs = 250;
const longestBackoffMs = 8_000;

/** A rate limit's window is 120 s (decisions/service#rate-limits). Longer requested waits are not followed. */
const longestAskedMs = 150_000;

/**
 * Retries `attempt` when that is safe: any method after a 429, while a domain is busy, or if nothing was sent; a GET
 * after every temporary failure, including maintenance and garbled replies. Never a write with an ambiguous outcome
 * (decisions/plan-apply#ambiguous-outcomes). Rejects with the last error.
 */
async function withRetries<T>(
  method: string,
  attempt: () => Promise<T>,
  { retries, sleep, random, onWait }: RetryPolicy,
  signal?: AbortSignal,
): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt();
    } catch (error) {
      const asked = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
      if (retry >= retries || asked > longestAskedMs || !isSafe(method, error)) throw error;
      const backoff = random() * Math.min(longestBackoffMs, firstWaitMs * 2 ** retry);
      if (error instanceof ApiError && asked > 0) onWait?.(error, asked);
      await pause(asked + backoff, sleep, signal);
    }
  }
}

function isSafe(method: string, error: unknown): boolean {
  if (error instanceof ApiError) {
    return (
      error.kind === "rate" ||
      error.kind === "busy" ||
      (method === "GET" && (error.outcome === "ambiguous" || error.kind === "maintenance"))
    );
  }
  if (!(error instanceof TransportError)) return false;
  switch (error.kind) {
    case "refused":
    case "dns":
    case "connect":
      return true;
    case "timeout":
    case "reset":
      return error.outcome === "not-sent" || method === "GET";
    case "reply":
      return method === "GET" && !isForeign(error.status);
    // A retry does not fix a proxy, a certificate or a length, an abort is intended, and an unknown failure should be
    // reported.
    case "too-long":
    case "proxy":
    case "tls":
    case "aborted":
    case "failed":
      return false;
  }
}

/**
 * A redirect or an error in another form comes from another program each time; a broken 2xx or 5xx reply may be
 * temporary.
 */
function isForeign(status: number | undefined): boolean {
  return status !== undefined && status >= 300 && status < 500;
}

/** An abort ends the wait without an error: the next attempt reports it with the name of the request. */
async function pause(ms: number, sleep: RetryPolicy["sleep"], signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, signal);
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

/**
 * Reads the base URL of the API: scheme and host, optionally with a path; `/v4` is added unless the path already ends
 * in `/v4` or `/v4beta` (decisions/documents#versions). The result has no trailing slash. @throws {ProblemError} if it
 * is invalid. The text is not quoted, because it may contain a password.
 */
export function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    const [, port = ""] = /^https?:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i.exec(text) ?? [];
    if (Number(port) > 65_535) throw baseUrlError(`the base URL has the port ${port}, and ports end at 65535`);
    throw baseUrlError("the base URL does not start with http:// or https://");
  }
  if (url.username !== "" || url.password !== "") throw baseUrlError("the base URL contains a user name or a password");
  if (url.search !== "" || url.hash !== "") throw baseUrlError("the base URL contains a query or a fragment");
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = /\/v4(beta)?$/.test(path) ? path : `${path}/v4`;
  return url;
}

function baseUrlError(summary: string): ProblemError {
  const fix = 'Write scheme and host, such as "http://127.0.0.1:4119".';
  return problemError("client/base-url", summary, { fix });
}
