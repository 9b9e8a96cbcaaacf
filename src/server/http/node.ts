import { once } from "node:events";
import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import type { Network } from "../kit/allowed-networks.ts";
import { cannotListen } from "../kit/cannot-listen.ts";
import { callerBehind } from "./forwarded.ts";
import type { Server, Unread } from "./router.ts";

export interface ListenOptions {
  /** 127.0.0.1 unless given. */
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** How long, in milliseconds, a request may take to come in with its headers, and as a whole; `usualPatience` unless given. */
  readonly patience?: Patience;
  /** Networks whose `X-Forwarded-For` says who asks; nobody's does unless given. */
  readonly proxies?: readonly Network[];
}

export interface Patience {
  readonly headers: number;
  readonly request: number;
}

const usualPatience: Patience = { headers: 15_000, request: 30_000 };

/** How long a connection may be idle, in milliseconds: longer than a balancer keeps one, or it would use a closed one. */
const idle = 75_000;

export interface Listening {
  /** Where the service is reached, without a final slash. */
  readonly url: string;
  /** Takes no new requests, finishes those in flight, then lets go of the port. */
  close(): Promise<void>;
}

/** How long requests in flight may take to finish at the end, in milliseconds. */
const grace = 10_000;

/** How long who was refused unread may take to hang up, in milliseconds. */
const farewell = 1000;

/**
 * Serves on a port.
 * @throws {ProblemError} `listen` when the port is in use, or may not be used.
 */
export async function listen(server: Server, options: ListenOptions): Promise<Listening> {
  const { host = "127.0.0.1", port, patience = usualPatience, proxies = [] } = options;
  const callerOf = callerBehind(proxies);
  const answer = getRequestListener(
    (request, env) => {
      const { incoming } = env as HttpBindings;
      const { headers, socket } = incoming;
      const reason = hostProblem(incoming);
      return reason !== undefined
        ? server(noRequest, { unread: { status: 400, reason } })
        : server(request, { remoteAddress: callerOf(socket.remoteAddress, headers["x-forwarded-for"]) });
    },
    {
      overrideGlobalObjects: false,
      // A request of HTTP/1.0 may name no host.
      hostname: host,
      errorHandler: (error) =>
        error instanceof RequestError
          ? server(noRequest, { unread: { status: 400, reason: error.message } })
          : new Response(null, { status: 500 }),
    },
  );
  const http = createHttpServer(
    {
      headersTimeout: patience.headers,
      requestTimeout: patience.request,
      keepAliveTimeout: idle,
      connectionsCheckingInterval: Math.min(1000, patience.headers),
      // Node's own refusal has no body.
      requireHostHeader: false,
    },
    answer,
  );
  http.on("checkExpectation", answer);
  http.on("connect", (_, socket) => void refuse(server, socket, withReason(501)));
  http.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET") socket.destroy();
    else void refuse(server, socket, unread[error.code ?? ""] ?? withReason(400));
  });
  try {
    http.listen(port, host);
    await once(http, "listening");
  } catch (error) {
    throw cannotListen(`cannot listen on ${host} port ${port}`, error);
  }
  return { url: urlOf(http.address() as AddressInfo), close: () => close(http) };
}

/** The fault of the Host header, if any (RFC 9112 §3.2); Node keeps the first of several and drops the others in silence. */
function hostProblem({ httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  const count = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === "host").length;
  if (count > 1) return "More than one host header";
  return count === 0 && httpVersion === "1.1" ? "Missing host header" : undefined;
}

/** Stands where there is none. */
const noRequest = new Request("http://none.invalid");

/** What is no HTTP, never came whole, or wants a tunnel: the API's reply, where Node leaves nothing but the socket. */
async function refuse(server: Server, socket: Duplex, unread: Unread): Promise<void> {
  socket.on("error", () => {}); // of a tunnel's socket Node hears nothing any more, and an error nobody hears ends the process
  const reply = await server(noRequest, { unread });
  const body = await reply.text();
  if (!socket.writable) return void socket.destroy();
  const length = String(Buffer.byteLength(body));
  const headers = [...reply.headers, ["Content-Length", length], ["Connection", "close"]];
  const head = [`HTTP/1.1 ${unread.status} ${unread.reason}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  socket.resume(); // closed with something unread in it, it would take the reply back
  const end = setTimeout(() => socket.destroy(), farewell);
  socket.once("close", () => clearTimeout(end));
}

const unread: Record<string, Unread> = {
  ERR_HTTP_REQUEST_TIMEOUT: withReason(408),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: withReason(413),
  HPE_HEADER_OVERFLOW: withReason(431),
};

async function close(http: HttpServer): Promise<void> {
  const closed = once(http, "close");
  http.close();
  // A connection that is kept alive is idle only once its last reply is out and its last body has come, which nothing tells.
  const sweep = setInterval(() => http.closeIdleConnections(), 20);
  const end = setTimeout(() => http.closeAllConnections(), grace);
  await closed;
  clearInterval(sweep);
  clearTimeout(end);
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

/** A status with the reason that HTTP gives it (RFC 9110 §15). */
function withReason(status: number): { readonly status: number; readonly reason: string } {
  return { status, reason: STATUS_CODES[status] ?? "" };
}
