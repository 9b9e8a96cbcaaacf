import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { connect, isIP } from "node:net";
import { escapeControl } from "../../../diagnostics/escape.ts";
import type { ManagedServiceRow } from "../../store/tables.ts";
import { codeOf, lookupAmong, ProbeFailure, type Reach } from "./reach.ts";
import { hostOf } from "./service-address.ts";

/** The parts of a service that a probe needs. */
export type Probed = Pick<ManagedServiceRow, "service_type" | "address" | "body" | "timeout">;

/** Probes a service once, until it is aborted: undefined if it is up, or the reason why not. */
export type ProbeService = (service: Probed, signal: AbortSignal) => Promise<string | undefined>;

/** Limit on the octets of the head of a response. */
const longestHead = 16 * 1024;
/** Limit on the octets of a body in which a text is searched. */
const longestBody = 1024 * 1024;
/** Limit on all octets that a probe reads: parsing what a server sends without end would delay other requests. */
const mostRead = 4 * longestBody;
const mostRedirects = 5;

/**
 * Connects to the addresses that `reach` allows, over TCP or HTTP, without a proxy. Certificates must be valid for the
 * host name, and of an authority that Node trusts.
 */
export function createProbe(reach: Reach): ProbeService {
  return async (service, signal) => {
    try {
      if (service.service_type === "tcp") await probeTcp(service, reach, signal);
      else await probeUrl(service, reach, signal);
      return undefined;
    } catch (error) {
      if (signal.aborted) return `it did not answer completely within ${secondsText(service.timeout)}`;
      if (error instanceof ProbeFailure) return error.message;
      return reasonFor(error);
    }
  };
}

async function probeTcp({ address }: Probed, reach: Reach, signal: AbortSignal): Promise<void> {
  const colon = address.lastIndexOf(":");
  const host = hostOf(new URL(`http://${address.slice(0, colon)}/`).hostname);
  const addresses = await reach(host, signal);
  await new Promise<void>((resolve, reject) => {
    const port = Number(address.slice(colon + 1));
    const socket = connect({ host, port, lookup: lookupAmong(addresses), signal });
    socket.once("connect", () => {
      socket.destroy();
      resolve();
    });
    socket.once("error", reject);
  });
}

async function probeUrl({ address, body }: Probed, reach: Reach, signal: AbortSignal): Promise<void> {
  const limit = new ReadLimit(signal);
  let url = new URL(address);
  for (let redirects = 0; ; redirects++) {
    const addresses = await reach(hostOf(url.hostname), signal);
    const target = await request(url, body, addresses, limit).catch((error) => {
      throw limit.failure ?? error;
    });
    if (target === undefined) return;
    if (redirects === mostRedirects) throw new ProbeFailure(`it redirects more than ${mostRedirects} times`);
    url = redirectTo(target, url);
  }
}

/** Aborts a probe that has read too much. */
class ReadLimit {
  readonly #exceeded = new AbortController();
  /** Aborted with the probe, and at the limit. */
  readonly signal: AbortSignal;
  #octets = 0;

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#exceeded.signal]);
  }

  /** Why the probe was aborted; undefined within the limit. */
  get failure(): ProbeFailure | undefined {
    return this.#exceeded.signal.aborted ? new ProbeFailure("it sends more than 4 MiB") : undefined;
  }

  add(octets: number): void {
    this.#octets += octets;
    if (this.#octets > mostRead) this.#exceeded.abort();
  }
}

/**
 * Sends a request, without following a redirect, whose target it returns; undefined if the service is up.
 * @throws {ProbeFailure} if it is down
 */
async function request(
  url: URL,
  body: string | null,
  addresses: readonly string[],
  limit: ReadLimit,
): Promise<string | undefined> {
  const response = await readHead(url, addresses, limit);
  try {
    const { statusCode = 0, headers } = response;
    if (redirectStatuses.has(statusCode) && headers.location !== undefined) return headers.location;
    if (statusCode < 200 || statusCode >= 400) throw new ProbeFailure(`the server answers with status ${statusCode}`);
    if (body !== null && !(await contains(response, Buffer.from(body))))
      throw new ProbeFailure("the first MiB of the response does not contain the expected text");
    return undefined;
  } finally {
    response.destroy();
  }
}

function readHead(url: URL, addresses: readonly string[], limit: ReadLimit): Promise<IncomingMessage> {
  const isEncrypted = url.protocol === "https:";
  const host = hostOf(url.hostname);
  return new Promise((resolve, reject) => {
    const sent = (isEncrypted ? requestHttps : requestHttp)({
      host,
      port: url.port || (isEncrypted ? 443 : 80),
      path: url.pathname + url.search,
      headers: { host: url.host, "user-agent": "zonewright-monitor", accept: "*/*", "accept-encoding": "identity" },
      agent: false, // neither a proxy of the environment nor a connection that is used again
      lookup: lookupAmong(addresses),
      ...(isEncrypted && { rejectUnauthorized: true, servername: isIP(host) > 0 ? "" : host }),
      maxHeaderSize: longestHead,
      insecureHTTPParser: false, // whatever Node's own options say
      signal: limit.signal,
    });
    const receive = (response: IncomingMessage) => {
      response.on("error", () => {}); // of a body that is not read to its end
      sent.on("error", (error) => response.complete || response.destroy(error));
      resolve(response);
    };
    sent.on("socket", (socket) => socket.on("data", ({ length }: Buffer) => limit.add(length)));
    sent.on("response", receive);
    sent.on("upgrade", receive); // to a protocol that was not asked for
    sent.on("error", reject);
    sent.end();
  });
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** @throws {ProbeFailure} for another scheme than http and https */
function redirectTo(target: string, from: URL): URL {
  const shown = escapeControl(target.slice(0, 200));
  if (!URL.canParse(target, from.href)) throw new ProbeFailure(`it redirects to "${shown}", which is not a URL`);
  const url = new URL(target, from);
  if (url.protocol === "http:" || url.protocol === "https:") return url;
  throw new ProbeFailure(`it redirects to "${shown}", which is not an http or https URL`);
}

/** Whether a body contains the text within the limit; it is read no further. */
async function contains(body: IncomingMessage, text: Buffer): Promise<boolean> {
  let end = Buffer.alloc(0); // of all before, in which the text may have begun
  let left = longestBody;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const searched = Buffer.concat([end, chunk.subarray(0, left)]);
    if (searched.includes(text)) return true;
    left -= chunk.length;
    if (left <= 0) return false;
    end = searched.subarray(Math.max(0, searched.length - text.length + 1));
  }
  return false;
}

const closed = "it closed the connection";

/** Reasons for the codes of errors that people can do something about. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "it refuses the connection",
  ECONNRESET: closed,
  EPIPE: closed,
  EHOSTUNREACH: "its host cannot be reached",
  ENETUNREACH: "its network cannot be reached",
  ETIMEDOUT: "it did not answer",
  HPE_HEADER_OVERFLOW: "the head of its response is longer than 16 KiB",
  CERT_HAS_EXPIRED: "its TLS certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its TLS certificate is for another host name",
};

function reasonFor(error: unknown): string {
  const code = codeOf(error) || (error instanceof AggregateError ? codeOf(error.errors[0]) : "");
  const known = reasons[code];
  if (known !== undefined) return known;
  if (code.startsWith("HPE_")) return "its response is not valid HTTP";
  if (code.startsWith("ERR_SSL_") || code === "EPROTO") return `the TLS handshake failed (${code})`;
  if (/CERT|ISSUER|SIGNED|SIGNATURE/.test(code)) return `its TLS certificate is not trusted (${code})`;
  return `the connection failed${code === "" ? "" : ` (${code})`}`;
}

function secondsText(seconds: number): string {
  return seconds === 1 ? "a second" : `${seconds} seconds`;
}
