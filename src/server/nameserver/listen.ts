import { createSocket, type Socket as Datagrams } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { plainAddress } from "../../dns/address.ts";
import { addFrame, Frames } from "../../dns/transfer/frames.ts";
import { cannotListen } from "../kit/cannot-listen.ts";
import { writeServfail } from "./answer.ts";
import { Connections } from "./connections.ts";
import { decodeQuery, type Query } from "./query.ts";
import { type ReplyContext, replies } from "./replies.ts";

export interface NameServerOptions extends ReplyContext {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /**
   * Limit on the queries over UDP that are answered at once; more are dropped, and resolvers ask again. 1,000 by
   * default.
   */
  readonly mostDatagrams?: number;
  /** Called for every unexpected error; its query is answered with SERVFAIL. */
  readonly onError: (error: unknown) => void;
}

export interface NameServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Idle time of a connection, in milliseconds (RFC 7766 §6.2.3). */
const idleMs = 10_000;

/**
 * Answers queries and zone transfers over UDP and TCP on one port.
 * @throws {ProblemError} `listen` if the port is in use or not permitted.
 */
export async function listenDns(options: NameServerOptions): Promise<NameServer> {
  const { host, port } = options;
  const open = new Set<Socket>();
  const connections = new Connections(options.secondaries ?? []);
  const streams = createServer((socket) => {
    const leave = connections.admit(socket.remoteAddress ?? "");
    if (leave === undefined) return void socket.destroy();
    open.add(socket);
    socket.on("close", () => {
      open.delete(socket);
      leave();
    });
    void answerConnection(socket, options);
  });
  const datagrams = createSocket(host.includes(":") ? "udp6" : "udp4");
  let taken = port;
  try {
    streams.listen(port, host);
    await once(streams, "listening");
    taken = (streams.address() as AddressInfo).port;
    datagrams.bind(taken, host);
    await once(datagrams, "listening");
  } catch (error) {
    streams.close();
    throw cannotListen(`cannot answer names on ${host} port ${port}`, error);
  }
  datagrams.on("error", options.onError);
  const { mostDatagrams = 1000 } = options;
  const running = new Set<Promise<void>>();
  datagrams.on("message", (octets, peer) => {
    // Port 0 cannot be answered (RFC 768), and sending there throws.
    if (running.size === mostDatagrams || peer.port === 0) return;
    const answered = answerDatagram(datagrams, octets, peer, options).finally(() => running.delete(answered));
    running.add(answered);
  });
  return { port: taken, close: () => close(streams, datagrams, { open, running }) };
}

async function answerDatagram(
  datagrams: Datagrams,
  octets: Buffer,
  { address, port }: { address: string; port: number },
  options: NameServerOptions,
): Promise<void> {
  for await (const reply of answerSafely(octets, "udp", plainAddress(address), options))
    datagrams.send(reply, port, address);
}

/** Answers the queries on a connection in their order; a transfer waits until the peer has read it. */
async function answerConnection(socket: Socket, options: NameServerOptions): Promise<void> {
  const frames = new Frames();
  socket.setTimeout(idleMs, () => socket.destroy());
  try {
    for await (const chunk of socket) {
      for (const octets of frames.take(chunk as Buffer)) {
        for await (const reply of answerSafely(octets, "tcp", plainAddress(socket.remoteAddress ?? ""), options)) {
          if (!socket.write(addFrame(reply))) await Promise.race([once(socket, "drain"), once(socket, "close")]);
          if (socket.destroyed) return;
        }
      }
    }
  } catch {
    // The peer has disconnected.
  } finally {
    socket.destroy();
  }
}

async function* answerSafely(octets: Buffer, transport: "udp" | "tcp", peer: string, options: NameServerOptions) {
  let query: Query | undefined;
  try {
    query = decodeQuery(octets);
    if (query) yield* replies(query, transport, peer, options);
  } catch (error) {
    options.onError(error);
    if (query) yield writeServfail(query);
  }
}

async function close(
  streams: Server,
  datagrams: Datagrams,
  { open, running }: { open: ReadonlySet<Socket>; running: ReadonlySet<Promise<void>> },
): Promise<void> {
  const closed = [once(streams, "close"), once(datagrams, "close")];
  streams.close();
  for (const socket of open) socket.destroy();
  datagrams.removeAllListeners("message");
  await Promise.all(running); // a closed socket cannot send
  datagrams.close();
  await Promise.all(closed);
}
