import type { Endpoint } from "./endpoint.ts";
import { type ApiErrorEntry, reasons } from "./errors.ts";

/** The headers of every reply (service: Plumbing). */
export const headers = {
  "X-OAuth-Scopes": text("Scopes of the token, apart by a space; * for all, unknown without a known token", "*"),
  "X-Accepted-OAuth-Scopes": text("The scope that the endpoint asks for; * for any", "domains:read_only"),
  "X-Spec-Version": text("Level of the interface", "4.119.0"),
  "X-RateLimit-Limit": text(
    "How many requests the user may send in a window, or unlimited",
    "1600",
    "^(\\d+|unlimited)$",
  ),
  "X-RateLimit-Remaining": number("How many are left in this window; absent without a limit"),
  "X-RateLimit-Reset": number("When this window ends, in seconds since 1970; absent without a limit"),
  "Retry-After": number("Seconds until this window ends; absent without a limit, but for a 429"),
};

function text(description: string, example: string, pattern?: string) {
  return { description, schema: { type: "string", ...(pattern !== undefined && { pattern }), examples: [example] } };
}

function number(description: string) {
  return { description, schema: { type: "integer", format: "int64", minimum: 0 } };
}

interface Refused {
  readonly name: string;
  readonly description: string;
  readonly example: ApiErrorEntry;
  /** Whether the endpoint answers with this status. */
  readonly of: (endpoint: Endpoint) => boolean;
}

const always = () => true;

/** Every status of a refusal by an endpoint (service: Plumbing). */
export const refusals: Readonly<Record<number, Refused>> = {
  400: {
    name: "BadRequest",
    description: "The request has faults: one entry for each",
    example: { reason: "Must be 25-500", field: "page_size" },
    of: always,
  },
  401: {
    name: "Unauthorized",
    description: "No known token, or one without the scope",
    example: { reason: reasons.invalidToken },
    of: ({ scope }) => scope !== null,
  },
  403: {
    name: "Forbidden",
    description: "The user is restricted, and no grant allows this",
    example: { reason: reasons.unauthorized },
    of: ({ tag, params, method }) => tag === "Domains" && (params !== undefined || method !== "GET"),
  },
  404: {
    name: "NotFound",
    description: "Nothing of this id, or nothing that the user may see",
    example: { reason: reasons.notFound },
    of: ({ params }) => params !== undefined,
  },
  413: {
    name: "PayloadTooLarge",
    description: "The body is larger than 1 MiB",
    example: { reason: "The request body is larger than 1 MiB" },
    of: ({ body }) => body !== undefined,
  },
  429: {
    name: "TooManyRequests",
    description: "The user has used up the window",
    example: { reason: reasons.tooManyRequests },
    of: always,
  },
  500: {
    name: "InternalServerError",
    description: "A fault of the service",
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
