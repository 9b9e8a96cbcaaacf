import type { Endpoint } from "./endpoint.ts";
import { type ApiErrorEntry, reasons } from "./errors.ts";

/** The headers of every reply (decisions/service#headers). */
export const headers = {
  "X-OAuth-Scopes": text("Scopes of the token, separated by spaces; * for all, unknown without a valid token", "*"),
  "X-Accepted-OAuth-Scopes": text("The scope that the endpoint requires; * for any", "domains:read_only"),
  "X-Spec-Version": text("Version of the interface", "4.119.0"),
  "X-RateLimit-Limit": text(
    "Number of requests that the user may send in a window, or unlimited",
    "1600",
    "^(\\d+|unlimited)$",
  ),
  "X-RateLimit-Remaining": number("Number of requests left in this window; absent without a limit"),
  "X-RateLimit-Reset": number("When this window ends, in seconds since 1970; absent without a limit"),
  "Retry-After": number("Seconds until this window ends; without a limit, sent only with a 429"),
};

function text(description: string, example: string, pattern?: string) {
  return { description, schema: { type: "string", ...(pattern !== undefined && { pattern }), examples: [example] } };
}

function number(description: string) {
  return { description, schema: { type: "integer", format: "int64", minimum: 0 } };
}

interface Refusal {
  readonly name: string;
  readonly description: string;
  readonly example: ApiErrorEntry;
  /** Whether the endpoint can reply with this status. */
  readonly of: (endpoint: Endpoint) => boolean;
}

const always = () => true;

/** The error statuses of the endpoints (decisions/service#replies). */
export const refusals: Readonly<Record<number, Refusal>> = {
  400: {
    name: "BadRequest",
    description: "The request is invalid: one entry for each error",
    example: { reason: "Must be 25-500", field: "page_size" },
    of: always,
  },
  401: {
    name: "Unauthorized",
    description: "The token is missing, invalid or expired, or lacks the scope",
    example: { reason: reasons.invalidToken },
    of: ({ scope }) => scope !== null,
  },
  403: {
    name: "Forbidden",
    description: "The user is restricted and lacks the grant or the access for this",
    example: { reason: reasons.unauthorized },
    of: ({ tag, params, method, who }) =>
      who !== undefined ||
      (tag === "Support" && params !== undefined) ||
      (tag === "Domains" && (params !== undefined || method !== "GET")),
  },
  404: {
    name: "NotFound",
    description: "The object does not exist, or the user may not access it",
    example: { reason: reasons.notFound },
    of: ({ params }) => params !== undefined,
  },
  409: {
    name: "Conflict",
    description: "The balance of the account cannot be charged",
    example: { reason: reasons.balanceOwed },
    of: ({ conflict }) => conflict !== undefined,
  },
  413: {
    name: "PayloadTooLarge",
    description: "The body is larger than 1 MiB, or a file than 5 MiB",
    example: { reason: "The request body is larger than 1 MiB" },
    of: ({ body }) => body !== undefined,
  },
  429: {
    name: "TooManyRequests",
    description: "The rate limit of the user is exceeded",
    example: { reason: reasons.tooManyRequests },
    of: always,
  },
  500: {
    name: "InternalServerError",
    description: "The service failed",
    example: { reason: "Internal server error" },
    of: always,
  },
  503: {
    name: "ServiceUnavailable",
    description: "The service cannot use its database",
    example: { reason: "The service cannot read its database: the disk is full" },
    of: always,
  },
};
