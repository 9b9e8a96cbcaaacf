import type { Endpoint } from "../contract/endpoint.ts";
import type { Filter } from "../contract/filter.ts";
import { type Translation, translationOf } from "../contract/translation.ts";
import type { Spelling } from "../contract/words.ts";

/** The input of a client method without its type: path parameters at the top. */
export interface AnyInput {
  query?: Readonly<Record<string, unknown>>;
  /** Sent as JSON, except for a form. */
  body?: unknown;
  filter?: Filter;
  [param: string]: unknown;
}

/** The service that calls are sent to. */
export interface CalledService {
  base: URL;
  /** The header; undefined without a token. */
  authorization: string | undefined;
  words: Spelling;
}

/** A call that can be sent repeatedly. */
export interface Call {
  endpoint: Endpoint;
  translation: Translation;
  /** For messages: method and path without the query, such as `POST /v4/domains/12/records`. */
  line: string;
  origin: string;
  /** See `nameObject`. */
  object: string;
  /** Object of the grant that a restricted user needs, such as `domain 12`; empty without parameters. */
  granted: string;
  authorized: boolean;
  request(signal: AbortSignal): Request;
}

/**
 * Builds the HTTP request for an endpoint and its input. @throws {TypeError} if a path parameter is missing or cannot
 * be one segment of a path.
 */
export function buildCall({ base, authorization, words }: CalledService, endpoint: Endpoint, input: AnyInput): Call {
  const translation = translationOf(endpoint, words);
  const params = translation.params(input, "live");
  const url = new URL(base);
  url.pathname += translation.path.replace(/\{(\w+)\}/g, (_, name: string) => pathSegment(name, params[name]));
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const body = bodyOf(input, translation);
  const headers = {
    accept: "application/json",
    "user-agent": "zonewright",
    ...(authorization !== undefined && { authorization }),
    ...(input.filter !== undefined && {
      "x-filter": escapeNonAscii(JSON.stringify(translation.filter(input.filter))),
    }),
    // A form has its own, with the boundary.
    ...(typeof body === "string" && { "content-type": "application/json" }),
  };
  return {
    endpoint,
    translation,
    line: `${endpoint.method} ${url.pathname}`,
    origin: url.origin,
    object: nameObject(endpoint, input),
    granted: nameGranted(endpoint, input),
    authorized: authorization !== undefined,
    request: (signal) => new Request(url, { method: endpoint.method, headers, body, signal }),
  };
}

/** The object of the path, innermost first, such as `record 7 of domain 12`; empty without parameters. */
export function nameObject(endpoint: Endpoint, input: AnyInput): string {
  return nameObjects(endpoint, input).reverse().join(" of ");
}

/** The outermost object of the path; grants on a ticket are those on its subject. */
function nameGranted(endpoint: Endpoint, input: AnyInput): string {
  const [outermost = ""] = nameObjects(endpoint, input);
  return "ticketId" in input ? `the domain that ${outermost} is about` : outermost;
}

function nameObjects(endpoint: Endpoint, input: AnyInput): string[] {
  return Object.keys(endpoint.params?.shape ?? {}).map(
    (name) => `${nouns[name] ?? name.replace(/Id$/, "")} ${input[name]}`,
  );
}

/** Nouns of parameters that are not named after their object. */
const nouns: Readonly<Record<string, string>> = {
  clientId: "OAuth client",
  configId: "configuration profile",
  label: "tag",
  token: "transfer",
  username: "user",
};

function bodyOf({ body }: AnyInput, translation: Translation): FormData | string | null {
  if (body instanceof FormData) return body;
  return body === undefined ? null : JSON.stringify(translation.body(body, "live"));
}

/** Empty, `.` and `..` would change the path: a delete of "" would address the whole list. */
function pathSegment(name: string, value: unknown): string {
  const text = value === undefined || value === null ? "" : String(value);
  if (["", ".", ".."].includes(text))
    throw new TypeError(`${name} is ${JSON.stringify(value)}, which cannot be part of a path`);
  return encodeURIComponent(text);
}

/** Headers are bytes; JSON can escape all other characters. */
function escapeNonAscii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
