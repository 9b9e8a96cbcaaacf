import { specVersion } from "../../contract/openapi.ts";
import type { Scope } from "../../contract/scopes.ts";
import { ApiError } from "../kit/api-error.ts";
import { nextTurn } from "../store/event-loop.ts";
import { isStoreFailure } from "../store/store.ts";
import type { Caller } from "./auth.ts";
import { jsonText } from "./json-text.ts";
import type { Standing } from "./rate-limit.ts";

/** What is known of a request when its reply is written. */
export interface Outcome {
  /** The scope that the endpoint asks for; null where any will do. */
  accepted: Scope | null;
  caller: Caller | undefined;
  /** Undefined where requests are not limited. */
  standing: Standing | undefined;
  /** What the path can do, for a method that it cannot. */
  methods: readonly string[] | undefined;
}

/** A reply: the status, the body (undefined for none), and every header that service.md, Plumbing, names. */
export async function respond(status: number, body: unknown, outcome: Outcome): Promise<Response> {
  const headers = { ...fixed, ...headersOf(status, outcome) };
  const text = body === undefined ? null : await jsonText(body);
  if (text === null || typeof text === "string") return new Response(text, { status, headers });
  const length = text.reduce((sum, piece) => sum + piece.length, 0);
  return new Response(inTurns(text), { status, headers: { ...headers, "Content-Length": String(length) } });
}

/** One piece with each turn of the event loop, as fast as they are taken. */
function inTurns(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const left = pieces.values();
  return new ReadableStream(
    {
      async pull(controller) {
        await nextTurn();
        const { value, done } = left.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The status and the body for what a request failed with. What nobody foresaw goes to `onError`, and no word of it out. */
export function failed(error: unknown, onError: (error: unknown) => void): { status: number; body: unknown } {
  if (error instanceof ApiError) return { status: error.status, body: { errors: error.errors } };
  onError(error);
  if (isStoreFailure(error)) return { status: 503, body: { errors: [{ reason: error.message }] } };
  return { status: 500, body: { errors: [{ reason: "Internal server error" }] } };
}

const fixed = {
  "Content-Type": "application/json",
  "X-Spec-Version": specVersion,
  "X-Content-Type-Options": "nosniff",
  Vary: "Authorization, X-Filter",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE, OPTIONS",
  "Access-Control-Allow-Headers": "Authorization, Content-Type, X-Filter",
  "Access-Control-Expose-Headers":
    "X-OAuth-Scopes, X-Accepted-OAuth-Scopes, X-Spec-Version, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After",
  "Access-Control-Max-Age": "86400",
};

function headersOf(status: number, { accepted, caller, standing, methods }: Outcome): Record<string, string> {
  return {
    "X-OAuth-Scopes": caller?.scopes.join(" ") ?? "unknown",
    "X-Accepted-OAuth-Scopes": accepted ?? "*",
    ...limitsOf(status, standing),
    ...(methods && { Allow: methods.join(", ") }),
  };
}

/** How long to wait, in seconds, where no window ends but there is too much to do at the moment. */
const briefly = 10;

/** Without a limit no number would be true: the limit is a word, and no window ends. */
function limitsOf(status: number, standing: Standing | undefined): Record<string, string> {
  if (standing === undefined)
    return { "X-RateLimit-Limit": "unlimited", ...(status === 429 && { "Retry-After": String(briefly) }) };
  return {
    "X-RateLimit-Limit": String(standing.limit),
    "X-RateLimit-Remaining": String(standing.remaining),
    "X-RateLimit-Reset": String(standing.reset),
    "Retry-After": String(standing.retryAfter),
  };
}
