import { connect } from "node:net";
import type { Dispatcher } from "undici";
import { plain } from "../../diagnostics/plain.ts";
import { hostOf } from "../rules/service-address.ts";
import type { ManagedServiceRow } from "../store/tables.ts";
import { codeOf, lookupAmong, ProbeFailure, type Reach } from "./reach.ts";

/** The parts of a service that a probe needs. */
export type Probed = Pick<ManagedServiceRow, "service_type" | "address" | "body" | "timeout">;

/** Probes a service once, until it is aborted: undefined if it is up, or the reason why not. */
export type Probe = (service: Probed, signal: AbortSignal) => Promise<string | undefined>;

/** Limit on the octets of the head of a response. */
const longestHead = 16 * 1024;
/** Limit on the octets of a body in which a text is searched. */
const longestBody = 1024 * 1024;
const mostRedirects = 5;

/**
 * Connects to the addresses that `reach` allows, over TCP or HTTP, without a proxy. Certificates must be valid for the
 * host name, and of an authority that Node trusts.
 */
export function createProbe(reach: Reach): Probe {
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
    const socket = connect({ host, port, lookup: lookupAmong(addresses), autoSelectFamily: true, signal });
    socket.once("connect", () => {
      socket.destroy();
      resolve();
    });
    socket.once("error", reject);
  });
}

async function probeUrl({ address, body, timeout }: Probed, reach: Reach, signal: AbortSignal): Promise<void> {
  let url = new URL(address);
  for (let redirects = 0; ; redirects++) {
    const target = await request(url, { body, timeout, reach, signal });
    if (target === undefined) return;
    if (redirects === mostRedirects) throw new ProbeFailure(`it redirects more than ${mostRedirects} times`);
    url = redirectTo(target, url);
  }
}

interface RequestOptions extends Pick<Probed, "body" | "timeout"> {
  readonly reach: Reach;
  readonly signal: AbortSignal;
}

/**
 * Sends a request, without following a redirect, whose target it returns; undefined if the service is up.
 * @throws {ProbeFailure} if it is down
 */
async function request(url: URL, { body, timeout, reach, signal }: RequestOptions): Promise<string | undefined> {
  const addresses = await reach(hostOf(url.hostname), signal);
  const { default: undici } = await import("undici"); // loaded at the first probe
  const agent = new undici.Agent({
    connect: {
      lookup: lookupAmong(addresses),
      autoSelectFamily: true,
      rejectUnauthorized: true,
      timeout: timeout * 1000,
    },
    maxHeaderSize: longestHead,
    // The signal ends both.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const headers = { "user-agent": "zonewright-monitor", accept: "*/*", "accept-encoding": "identity" };
    const response = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: "GET",
      headers,
      signal,
    });
    response.body.on("error", () => {}); // of a body that is not read to its end
    const { statusCode } = response;
    const target = [response.headers.location].flat()[0];
    if (redirectStatuses.has(statusCode) && target !== undefined) return target;
    if (statusCode >= 400) throw new ProbeFailure(`the server answers with status ${statusCode}`);
    if (body !== null && !(await contains(response.body, Buffer.from(body))))
      throw new ProbeFailure("the first MiB of the response does not contain the expected text");
    return undefined;
  } finally {
    await agent.destroy();
  }
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** @throws {ProbeFailure} for another scheme than http and https */
function redirectTo(target: string, from: URL): URL {
  const shown = plain(target.slice(0, 200));
  if (!URL.canParse(target, from.href)) throw new ProbeFailure(`it redirects to "${shown}", which is not a URL`);
  const url = new URL(target, from);
  if (url.protocol === "http:" || url.protocol === "https:") return url;
  throw new ProbeFailure(`it redirects to "${shown}", which is not an http or https URL`);
}

/** Whether a body contains the text within the limit; it is read no further. */
async function contains(body: Dispatcher.ResponseData["body"], text: Buffer): Promise<boolean> {
  let read = Buffer.alloc(0);
  for await (const chunk of body) {
    const from = Math.max(0, read.length - text.length);
    read = Buffer.concat([read, Buffer.from(chunk)]).subarray(0, longestBody);
    if (read.indexOf(text, from) >= 0) return true;
    if (read.length === longestBody) return false;
  }
  return false;
}

/** Reasons for the codes of errors that people can do something about. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "it refuses the connection",
  ECONNRESET: "it closed the connection",
  EHOSTUNREACH: "its host cannot be reached",
  ENETUNREACH: "its network cannot be reached",
  ETIMEDOUT: "it did not answer",
  UND_ERR_CONNECT_TIMEOUT: "it did not answer",
  UND_ERR_SOCKET: "it closed the connection",
  UND_ERR_HEADERS_OVERFLOW: "the head of its response is longer than 16 KiB",
  CERT_HAS_EXPIRED: "its TLS certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its TLS certificate is for another host name",
};

function reasonFor(error: unknown): string {
  const code = codeOf(error) || (error instanceof AggregateError ? codeOf(error.errors[0]) : "");
  const known = reasons[code];
  if (known !== undefined) return known;
  if (error instanceof Error && error.name === "HTTPParserError") return "its response is not valid HTTP";
  if (/CERT|ISSUER|SIGNED|SIGNATURE/.test(code)) return `its TLS certificate is not trusted (${code})`;
  return `the connection failed${code === "" ? "" : ` (${code})`}`;
}

function secondsText(seconds: number): string {
  return seconds === 1 ? "a second" : `${seconds} seconds`;
}
