import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { ApiRequest } from "../kit/request.ts";

/**
 * A request of Node as the API reads it; a text says why it is not valid. HTTP/1.0 requests may lack a host, which is
 * then `host`. `signal` is that of its connection.
 */
export function readRequest(incoming: IncomingMessage, host: string, signal: AbortSignal): NodeRequest | string {
  const { httpVersion, headers, rawHeaders, url: target = "" } = incoming;
  const hosts = countOf(rawHeaders, "host");
  // RFC 9112 §3.2. Of several, Node silently keeps the first.
  if (hosts > 1) return "More than one host header";
  if (hosts === 0 && httpVersion === "1.1") return "Missing host header";
  const url = urlOf(target, headers.host || host);
  if (url === undefined) return /^https?:/i.test(target) ? "Invalid absolute URL" : "Invalid URL";
  return new NodeRequest(incoming, url, signal);
}

export class NodeRequest implements ApiRequest {
  readonly #incoming: IncomingMessage;
  readonly url: string;
  readonly signal: AbortSignal;

  constructor(incoming: IncomingMessage, url: string, signal: AbortSignal) {
    this.#incoming = incoming;
    this.url = url;
    this.signal = signal;
  }

  get method(): string {
    return this.#incoming.method ?? "GET";
  }

  get headers(): Pick<Headers, "get"> {
    return this;
  }

  get body(): Readable {
    return this.#incoming;
  }

  /** A header in any letter case; null without it, and for several credentials, of which Node keeps the first. */
  get(name: string): string | null {
    const key = name.toLowerCase();
    const value = this.#incoming.headers[key];
    if (value === undefined) return null;
    if (key === "authorization" && countOf(this.#incoming.rawHeaders, key) > 1) return null;
    return String(value);
  }

  /** The same for a function that expects a `Request`. */
  asRequest(): Request {
    const { method, url, signal } = this;
    const { rawHeaders } = this.#incoming;
    const headers = new Headers();
    for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
    if (method === "GET" || method === "HEAD") return new Request(url, { method, headers, signal });
    const body = Readable.toWeb(this.#incoming) as ReadableStream;
    return new Request(url, { method, headers, signal, body, duplex: "half" });
  }
}

/** The number of times that a list of names and values has a header. */
function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let at = indexOfHeader(rawHeaders, name); at >= 0; at = indexOfHeader(rawHeaders, name, at + 2)) count++;
  return count;
}

/** The next header of a name in lower case, as its index in a list of names and values; -1 without one. */
export function indexOfHeader(rawHeaders: readonly string[], name: string, from = 0): number {
  for (let at = from; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] ?? "";
    if (raw.length === name.length && raw.toLowerCase() === name) return at;
  }
  return -1;
}

const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const label = String.raw`(?!xn--)[a-z\d_-]+`;

/**
 * Hosts and targets of requests that are already written as a URL writes them. A URL reads a host whose last label
 * starts with a digit as an IPv4 address, decodes labels of IDNA, and refuses invalid ones and ports over 65535.
 */
const plain = {
  host: new RegExp(
    String.raw`^(?:${octet}(?:\.${octet}){3}|(?:${label}\.)*(?!\d)${label})(?::(?:\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}))?$`,
  ),
  target: /^\/(?!\/)[\w!$&'()*+,;=:@~./?%-]*$/,
};

/** The absolute URL of a request; undefined if its target or its host is not valid. */
function urlOf(target: string, host: string): string | undefined {
  const isAbsolute = /^https?:\/\//i.test(target);
  if (!isAbsolute && !target.startsWith("/")) return undefined;
  if (plain.host.test(host) && plain.target.test(target) && !/\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(target))
    return `http://${host}${target}`;
  const text = isAbsolute ? target : `http://${host}${target}`;
  if (!isAbsolute && /[/?#@\\]/.test(host)) return undefined;
  return URL.canParse(text) ? new URL(text).href : undefined;
}
