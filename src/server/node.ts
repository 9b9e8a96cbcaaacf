import { once } from "node:events";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { cannotListen } from "./cannot-listen.ts";
import type { Server } from "./router.ts";

export interface ListenOptions {
  /** 127.0.0.1 unless given. */
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** How long, in milliseconds, a request may take to come in with its headers, and as a whole; `usualPatience` unless given. */
  readonly patience?: Patience;
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

/**
 * Serves on a port.
 * @throws {Refusal} `listen` when the port is in use, or may not be used.
 */
export async function listen(server: Server, options: ListenOptions): Promise<Listening> {
  const { host = "127.0.0.1", port, patience = usualPatience } = options;
  const answer = getRequestListener(
    (request, env) =>
      server(request, { remoteAddress: addressOf((env as HttpBindings).incoming.socket.remoteAddress) }),
    // A request of HTTP/1.0 may name no host.
    { overrideGlobalObjects: false, hostname: host },
  );
  const http = createHttpServer(
    {
      headersTimeout: patience.headers,
      requestTimeout: patience.request,
      keepAliveTimeout: idle,
      connectionsCheckingInterval: Math.min(1000, patience.headers),
    },
    answer,
  );
  http.on("clientError", refuseUnread);
  try {
    http.listen(port, host);
    await once(http, "listening");
  } catch (error) {
    throw cannotListen(`cannot listen on ${host} port ${port}`, error);
  }
  return { url: urlOf(http.address() as AddressInfo), close: () => close(http) };
}

/** What is no HTTP, or never came whole: the reply of the API without what needs a request that was read. */
function refuseUnread(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, reason] = unread[error.code ?? ""] ?? [400, "Bad Request"];
  const body = JSON.stringify({ errors: [{ reason }] });
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

const unread: Record<string, [status: number, reason: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout"],
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large"],
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

/** A socket that takes both families shows an IPv4 address as `::ffff:192.0.2.1` (RFC 4291 §2.5.5.2). */
function addressOf(address: string | undefined): string | undefined {
  return address?.replace(/^::ffff:(?=\d+\.)/, "");
}
