import type { ApiErrorEntry } from "../../contract/errors.ts";
import { FilterError } from "../../contract/filter.ts";
import { specVersion } from "../../contract/openapi.ts";
import type { Scope } from "../../contract/scopes.ts";
import { spell } from "../../contract/words.ts";
import type { Caller, Profile } from "../entities/context.ts";
import { errorEntry, Refusal } from "../kit/api-error.ts";
import type { RateLimitState } from "../kit/rate-limit.ts";
import { isKeyFailure } from "../kit/secrets.ts";
import { isStoreFailure } from "../store/store.ts";
import { stringifyBody } from "./json-text.ts";
import type { HttpReply } from "./reply.ts";

/** Facts about a request that the headers of its reply show. */
export interface RequestFacts {
  /** The spelling of scopes. */
  profile: Profile;
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
  const { profile, accepted, caller, rateLimitState, methods, ignored } = outcome;
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
      "X-OAuth-Scopes, X-Accepted-OAuth-Scopes, X-Spec-Version, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Ignored-Keys, Retry-After",
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
  if (ignored.length > 0) headers["X-Ignored-Keys"] = ignored.join(", ");
  if (methods) headers.Allow = methods.join(", ");
  return headers;
}

/** `Retry-After` of a 429 without a rate limit, in seconds. */
const retryAfter = 10;
