import type * as z from "zod";
import type { Endpoint } from "../contract/endpoint.ts";
import { closedRecordReplies, openRecordEndpoints } from "../contract/endpoints/domains.ts";
import { type EndpointName, endpoints } from "../contract/endpoints/index.ts";
import { apiErrors } from "../contract/errors.ts";
import { recordsHeader } from "../contract/records-setting.ts";
import { ApiError, isBareRefusal } from "./api-error.ts";
import type { Call } from "./call.ts";
import type { Redactor } from "./secret.ts";
import { TransportError } from "./transport-error.ts";

/** A complete reply. */
export interface RawReply {
  status: number;
  headers: Headers;
  text: string;
}

/** The schemas of replies of a server with open records, which has the data of a record that the documents lack. */
const openReplies = new Map<Endpoint, z.ZodType>(
  Object.entries(openRecordEndpoints).map(([name, { reply }]) => [endpoints[name as EndpointName], reply]),
);
const closedReplies = new Map<Endpoint, z.ZodType>(
  Object.entries(closedRecordReplies).map(([name, reply]) => [endpoints[name as EndpointName], reply]),
);

/**
 * Reads the value of a reply by the schema of its endpoint; unknown keys are omitted. `now` is in milliseconds since
 * 1970.
 * @throws {ApiError} for an error reply of the service. @throws {TransportError} of kind `reply` if the reply does not
 * match the contract.
 */
export function readReply(call: Call, reply: RawReply, redactor: Redactor, now: () => number): unknown {
  const json = readJsonReply(call, reply, redactor, now);
  if (json === undefined) return undefined;
  const ofRecords = reply.headers.get(recordsHeader) === "open" ? openReplies : closedReplies;
  const value = (ofRecords.get(call.endpoint) ?? call.endpoint.reply).safeParse(json);
  if (value.success) return value.data;
  throw wrongShapeError(call, reply.status, value.error);
}

/**
 * Reads the JSON of a reply as the service sent it, whatever its shape; undefined for a 204. Throws the same errors for
 * other replies.
 */
export function readJsonReply(call: Call, reply: RawReply, redactor: Redactor, now: () => number): unknown {
  const { status, headers, text } = reply;
  if (status === 204 && call.endpoint.noContent !== undefined) return undefined;
  const json = readJson(text);
  if (status >= 200 && status < 300 && json !== undefined) return call.translation.reply(json, "documented");
  if (status >= 400) {
    const read = apiErrors.safeParse(json).data?.errors;
    const errors = read?.map((entry) => call.translation.error(entry, "documented"));
    if (errors !== undefined || isBareRefusal(status, headers)) {
      const retryAfterMs = status === 429 || status === 503 ? retryAfter(headers, now) : undefined;
      throw new ApiError(call, { status, headers, reasons: errors ?? [], retryAfterMs, received: now() }, redactor);
    }
  }
  throw foreignReplyError(call, reply, redactor);
}

/** The deepest nesting of a reply that is read; those of the API have less than ten levels. */
const deepest = 100;

/** Undefined, which is not a JSON value, if the text is not JSON, or nested deeper than any reply. */
function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeper(value, deepest) ? undefined : value;
  } catch {
    return undefined; // the parser's message quotes the text; `foreign` does so without the token
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function wrongShapeError(call: Call, status: number, error: z.ZodError): TransportError {
  const [first, ...more] = error.issues.map(({ path, message }) =>
    [path.join("."), message].filter((part) => part !== "").join(": "),
  );
  const others = more.length === 0 ? "" : `, and ${more.length} more`;
  const what = `${status}, but the reply does not match this endpoint: ${first}${others}`;
  const fix = "The service uses another version of the API, or the reply was changed in transit.";
  return new TransportError(call, { kind: "reply", outcome: "ambiguous", what, fix, status }, error);
}

function foreignReplyError(call: Call, { status, headers, text }: RawReply, redactor: Redactor): TransportError {
  const location = headers.get("Location");
  const type = redactor.quote(headers.get("Content-Type") ?? "an unknown type");
  const body = text === "" ? "an empty body" : `a body (${type}) that is not the API's: ${redactor.quote(text)}`;
  const [what, fix] =
    status < 400 && location !== null
      ? [
          `${status}, a redirect to ${redactor.quote(location)}`,
          "Set the base URL to the address of the service itself.",
        ]
      : [`${status} with ${body}`, `Check the base URL ${call.origin}, and any proxy between.`];
  return new TransportError(call, { kind: "reply", outcome: "ambiguous", what, fix, status });
}

/**
 * The time to wait after a 429 or 503, in milliseconds: `Retry-After` in seconds or as a date, or else
 * `X-RateLimit-Reset` in seconds since 1970 or, if too small for that, from now (decisions/service#headers).
 */
function retryAfter(headers: Headers, now: () => number): number | undefined {
  const after = headers.get("Retry-After")?.trim() ?? "";
  if (/^\d+$/.test(after)) return Number(after) * 1000;
  if (!Number.isNaN(Date.parse(after))) return Math.max(0, Date.parse(after) - now());
  const reset = headers.get("X-RateLimit-Reset")?.trim() ?? "";
  if (!/^\d+$/.test(reset)) return undefined;
  return Number(reset) < 1e9 ? Number(reset) * 1000 : Math.max(0, Number(reset) * 1000 - now());
}
