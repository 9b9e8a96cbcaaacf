import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from "node:http";
import type { ApiErrorEntry } from "../../contract/errors.ts";
import { FilterError } from "../../contract/filter.ts";
import { specVersion } from "../../contract/openapi.ts";
import { recordsHeader } from "../../contract/records-setting.ts";
import type { RecordsSetting } from "../../contract/resources/open-record.ts";
import type { Scope } from "../../contract/scopes.ts";
import { spell } from "../../contract/words.ts";
import type { Caller, Profile } from "../entities/context.ts";
import { errorEntry, Refusal } from "../kit/api-error.ts";
import type { RateLimitState } from "../kit/rate-limit.ts";
import type { ApiRequest } from "../kit/request.ts";
import { isKeyFailure } from "../kit/secrets.ts";
import { TimeSlice, yieldToEventLoop } from "../store/event-loop.ts";
import { isStoreFailure } from "../store/store.ts";
import { namesTag, type PublicText } from "../web/public-text.ts";
import type { ClientConnection } from "./client-connection.ts";

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
function lengthOf(body: NonNullable<HttpReply["body"]>): number {
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

/** Cost of writing an entry, and of each of its characters, in nanoseconds. */
const cost = { entry: 300, character: 16 };

/** From either of these on, a list is written in steps. */
const long = { entries: 1000, characters: 2 ** 18 };

/** `JSON.stringify` of a body. One with a long list is written in steps and returned in pieces of about 256 KiB. */
function stringifyBody(body: unknown): string | Promise<readonly Uint8Array[]> {
  const isShort = typeof body !== "object" || body === null || !Object.values(body).some(isLong);
  return isShort ? JSON.stringify(body) : jsonPieces(body);
}

async function jsonPieces(body: object): Promise<readonly Uint8Array[]> {
  const budget = new TimeSlice();
  const pieces: Uint8Array[] = [];
  let parts: string[] = [];
  let length = 0;
  const write = (...texts: string[]) => {
    for (const text of texts) {
      parts.push(text);
      length += text.length;
    }
    if (length >= long.characters) flush();
  };
  const flush = () => {
    pieces.push(Buffer.from(parts.join("")));
    parts = [];
    length = 0;
  };
  for (const [index, [key, value]] of Object.entries(body).entries()) {
    write(index === 0 ? "{" : ",", JSON.stringify(key), ":");
    if (!isLong(value)) {
      write(JSON.stringify(value));
      continue;
    }
    for (const [index, entry] of value.entries()) {
      const text = JSON.stringify(entry);
      write(index === 0 ? "[" : ",", text);
      if (budget.isSpent(cost.entry + text.length * cost.character)) await yieldToEventLoop();
    }
    write("]");
  }
  write("}");
  flush();
  return pieces;
}

function isLong(value: unknown): value is unknown[] {
  if (!Array.isArray(value)) return false;
  if (value.length >= long.entries) return true;
  let characters = 0;
  for (const entry of value) characters += textIn(entry);
  return characters >= long.characters;
}

/** Characters of text in an entry of a list. */
function textIn(entry: unknown): number {
  if (typeof entry === "string") return entry.length;
  if (typeof entry !== "object" || entry === null) return 0;
  let characters = 0;
  // A list of the values of each entry would take a twentieth of the time of a request.
  for (const key in entry) {
    const value = (entry as Record<string, unknown>)[key];
    if (typeof value === "string") characters += value.length;
  }
  return characters;
}

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

/** Facts about a request that the headers of its reply show. */
export interface RequestFacts {
  /** The spelling of scopes. */
  profile: Profile;
  /** The records that domains may have. */
  records: RecordsSetting;
  /** The scope that the endpoint requires; null for none. */
  accepted: Scope | null;
  caller: Caller | undefined;
  /** Undefined if requests are not limited. */
  rateLimitState: RateLimitState | undefined;
  /** Allowed methods (405). */
  methods: readonly string[] | undefined;
  /** Keys of the body that the hosted service knows and this server does not. */
  ignored: readonly string[];
}

/** A reply: the status, the body (undefined for none), and the headers (decisions/service#headers). */
export async function respond(status: number, body: unknown, outcome: RequestFacts): Promise<HttpReply> {
  const text = body === undefined ? null : stringifyBody(body);
  return { status, headers: headersOf(status, outcome), body: text instanceof Promise ? await text : text };
}

/** The status in the access log of a request whose client has left, as proxies log it. */
const clientLeft = 499;

/**
 * The status and the body for an error. An unexpected one is passed to `onError`, and the reply does not describe it.
 * `signal` is that of the client's disconnection.
 */
export function describeFailure(
  error: unknown,
  onError: (error: unknown) => void,
  signal: AbortSignal | undefined,
): { status: number; body: { errors: readonly ApiErrorEntry[] } } {
  if (signal?.aborted && error === signal.reason) return { status: clientLeft, body: { errors: [] } };
  if (error instanceof Refusal) return { status: error.status, body: { errors: error.errors } };
  if (error instanceof FilterError) return { status: 400, body: { errors: [errorEntry("X-Filter", error.reason)] } };
  onError(error);
  if (isStoreFailure(error)) return { status: 503, body: { errors: [{ reason: error.message }] } };
  // The operator's log says why, and where the key is.
  if (isKeyFailure(error))
    return { status: 503, body: { errors: [{ reason: "The service cannot read its secret key" }] } };
  return { status: 500, body: { errors: [{ reason: "Internal server error" }] } };
}

/**
 * The headers of a reply. One literal and assignments, because V8 makes a new hidden class for each key that follows a
 * spread, every time.
 */
export function headersOf(status: number, outcome: RequestFacts): Record<string, string> {
  const { profile, records, accepted, caller, rateLimitState, methods, ignored } = outcome;
  const spelled = (scopes: string) => (profile === "live" ? spell("scopes", scopes, "live") : scopes);
  const headers: Record<string, string> = {
    "Content-Type": "application/json",
    "X-Spec-Version": specVersion,
    "X-Content-Type-Options": "nosniff",
    Vary: "Authorization, X-Filter",
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE, OPTIONS",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, X-Filter",
    "Access-Control-Expose-Headers":
      "X-OAuth-Scopes, X-Accepted-OAuth-Scopes, X-Spec-Version, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Ignored-Keys, X-Records, Retry-After",
    "Access-Control-Max-Age": "86400",
    "X-OAuth-Scopes": spelled(caller?.scopes.join(" ") ?? "unknown"),
    "X-Accepted-OAuth-Scopes": spelled(accepted ?? "*"),
    // Without a limit this is a word, and no window ends.
    "X-RateLimit-Limit": String(rateLimitState?.limit ?? "unlimited"),
  };
  if (rateLimitState !== undefined) {
    headers["X-RateLimit-Remaining"] = String(rateLimitState.remaining);
    headers["X-RateLimit-Reset"] = String(rateLimitState.reset);
    headers["Retry-After"] = String(rateLimitState.retryAfter);
  } else if (status === 429) headers["Retry-After"] = String(retryAfter);
  if (records === "open") headers[recordsHeader] = records;
  if (ignored.length > 0) headers["X-Ignored-Keys"] = ignored.join(", ");
  if (methods) headers.Allow = methods.join(", ");
  return headers;
}

/** `Retry-After` of a 429 without a rate limit, in seconds. */
const retryAfter = 10;
