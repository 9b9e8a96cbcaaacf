import { once } from "node:events";
import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import {
  type AddressInfo,
  createServer as createSocketServer,
  isIP,
  type Socket,
  type Server as SocketServer,
} from "node:net";
import { plainAddress } from "../../dns/name/address.ts";
import { inNetworks, type Network } from "../kit/allowed-networks.ts";
import { cannotListen } from "../kit/cannot-listen.ts";
import { noteConnection } from "../store/event-loop.ts";
import {
  type AnswerRequest,
  type ClientConnection,
  ClientConnections,
  type ConnectionLimits,
  defaultLimits,
  type NodeRequest,
  type PausedError,
  readRequest,
} from "./client-connection.ts";
import { type HttpReply, readResponse, sendReply } from "./reply.ts";
import type { Connection, Server, UnreadReply } from "./router.ts";

export interface ListenOptions {
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Limits on the time of clients: those of `defaultTimeouts` that are not named. */
  readonly timeouts?: Partial<Timeouts>;
  /** Limits on all connections; `defaultLimits` by default. */
  readonly limits?: ConnectionLimits;
  /** Proxies whose `X-Forwarded-For` is trusted; none by default. */
  readonly proxies?: readonly Network[];
}

/** Time for a client to send the headers and the whole request, and to take some of a reply, in milliseconds. */
export interface Timeouts {
  readonly headers: number;
  readonly request: number;
  readonly reply: number;
}

const defaultTimeouts: Timeouts = { headers: 15_000, request: 30_000, reply: 60_000 };

/** Idle time of a connection, in milliseconds: longer than a load balancer keeps one, or it would use a closed one. */
const idle = 75_000;

export interface Listening {
  /** Base URL, without a final slash. */
  readonly url: string;
  /** Stops accepting requests, finishes those in progress, then releases the port. */
  close(): Promise<void>;
}

/** Connections that wait to be accepted: as many as come at once, or the system lets the last of them wait a second. */
const backlog = defaultLimits.connections;

/** Time to finish requests in progress on close, in milliseconds. */
const grace = 10_000;

/**
 * Serves on a port.
 * @throws {ProblemError} `listen` if the port is in use or not permitted.
 */
export async function listen(server: Server, options: ListenOptions): Promise<Listening> {
  const { host = "127.0.0.1", limits = defaultLimits, proxies = [] } = options;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const callerOf = readCaller(proxies);
  const isEncrypted = readEncryption(proxies);
  const answer = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    connection: ClientConnection,
    facts: Pick<Connection, "tokenHash" | "began">,
  ) => {
    const { headers, socket } = incoming;
    const request = readRequest(incoming, host, connection.signal);
    const reply =
      typeof request === "string"
        ? refusalOf(server, { status: 400, reason: request })
        : replyTo(server, request, {
            remoteAddress: addressOf(incoming),
            isEncrypted: isEncrypted(socket.remoteAddress, headers["x-forwarded-proto"]),
            ...facts,
          });
    await sendReply(await reply, incoming, outgoing, connection);
  };
  const addressOf = ({ headers, socket }: IncomingMessage) =>
    callerOf(socket.remoteAddress, headers["x-forwarded-for"]);
  const { takeTurn = (_, __, begin) => begin() } = server;
  const answerInTurn: AnswerRequest = (incoming, outgoing, connection) => {
    const tokenHash = connection.tokenHashIn(incoming);
    const begin = (began?: number) => void answer(incoming, outgoing, connection, { tokenHash, began });
    takeTurn(tokenHash, () => addressOf(incoming) ?? "", begin);
  };
  const connections = new ClientConnections(answerInTurn, timeouts.reply, limits);
  const accept = (incoming: IncomingMessage, outgoing: ServerResponse) =>
    connections.of(incoming.socket)?.answer(incoming, outgoing);
  const http = createHttpServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: idle,
      connectionsCheckingInterval: Math.min(1000, timeouts.headers),
      // Node's own refusal has no body.
      requireHostHeader: false,
    },
    accept,
  );
  // Node would cut a reply whose client has ended its side, as `nc -N` does. The types lack this property.
  Object.assign(http, { httpAllowHalfOpen: true });
  http.on("connection", (socket) => {
    noteConnection();
    connections.add(socket);
  });
  http.on("checkExpectation", accept);
  http.on("connect", (_, socket) => {
    const connection = connections.of(socket as Socket);
    connection?.endParsing();
    void refuse(server, connection, withReason(501));
  });
  http.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const connection = connections.of(socket as Socket);
    if (error.code === "ECONNRESET") socket.destroy();
    else if (error.code === "HPE_PAUSED") connection?.readSocket(error as PausedError);
    else void refuse(server, connection, unread[error.code ?? ""] ?? withReason(400));
  });
  await bind(http, options);
  return { url: urlOf(http.address() as AddressInfo), close: () => close(http, connections) };
}

/**
 * Opens and closes the port, before there is a server for it.
 * @throws {ProblemError} `listen` if the port is in use or not permitted.
 */
export async function requireFreePort(options: ListenOptions): Promise<void> {
  const server = createSocketServer();
  await bind(server, options);
  await new Promise((closed) => server.close(closed));
}

async function bind(server: SocketServer, { host = "127.0.0.1", port }: ListenOptions): Promise<void> {
  try {
    server.listen({ port, host, backlog });
    await once(server, "listening");
  } catch (error) {
    throw cannotListen(`cannot listen on ${host} port ${port}`, error);
  }
}

/**
 * Reads the caller's address behind proxies that add it to `X-Forwarded-For`. Each appends its peer at the right, so
 * everything left of the first address that is not a proxy is only a claim. An invalid address ends the search too.
 */
export function readCaller(proxies: readonly Network[]) {
  const isProxy = inNetworks(proxies);
  return (peer: string | undefined, forwardedFor: string | string[] | undefined): string | undefined => {
    if (peer === undefined) return undefined;
    if (proxies.length === 0 || forwardedFor === undefined) return plainAddress(peer);
    let caller = plainAddress(peer);
    const addresses = String(forwardedFor ?? "").split(",");
    for (const address of addresses.map((part) => part.trim()).reverse()) {
      if (!isProxy(caller) || isIP(address) === 0) break;
      caller = plainAddress(address);
    }
    return caller;
  };
}

/** Reads whether a proxy received the request by https: of several words, the last is that of the proxy itself. */
function readEncryption(proxies: readonly Network[]) {
  const isProxy = inNetworks(proxies);
  return (peer: string | undefined, forwardedProto: string | string[] | undefined): boolean =>
    peer !== undefined &&
    forwardedProto !== undefined &&
    isProxy(plainAddress(peer)) &&
    /(?:^|,) *https *$/i.test(String(forwardedProto));
}

/** The reply of a server, or of a function that wraps one. */
function replyTo(server: Server, request: NodeRequest, connection: Connection): Promise<HttpReply> {
  return server.reply?.(request, connection) ?? server(request.asRequest(), connection).then(readResponse);
}

/** The reply to a request that could not be read. */
async function refusalOf(server: Server, unread: UnreadReply): Promise<HttpReply> {
  const request = new Request("http://none.invalid");
  return server.reply?.(request, { unread }) ?? readResponse(await server(request, { unread }));
}

/** Sends the API's reply where Node offers only the socket: invalid HTTP, an incomplete request, CONNECT. */
async function refuse(server: Server, connection: ClientConnection | undefined, unread: UnreadReply): Promise<void> {
  if (connection === undefined || connection.isOver) return; // the rest of a request that was dropped
  const { headers: own, body } = await refusalOf(server, unread);
  const length = String(Buffer.byteLength(String(body)));
  const headers = [...Object.entries(own), ["Content-Length", length], ["Connection", "close"]];
  const head = [`HTTP/1.1 ${unread.status} ${unread.reason}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  connection.refuse(`${head.join("\r\n")}\r\n\r\n${body}`);
}

const unread: Record<string, UnreadReply> = {
  ERR_HTTP_REQUEST_TIMEOUT: withReason(408),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: withReason(413),
  HPE_HEADER_OVERFLOW: withReason(431),
};

async function close(http: HttpServer, connections: ClientConnections): Promise<void> {
  const closed = once(http, "close");
  connections.close();
  http.close();
  const end = setTimeout(() => connections.destroy(), grace);
  await closed;
  clearTimeout(end);
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

/** A status with the reason that HTTP gives it (RFC 9110 §15). */
function withReason(status: number): { readonly status: number; readonly reason: string } {
  return { status, reason: STATUS_CODES[status] ?? "" };
}
