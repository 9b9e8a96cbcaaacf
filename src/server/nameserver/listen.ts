import { createSocket } from "node:dgram";
import { lookup } from "node:dns";
import { once } from "node:events";
import { type AddressInfo, createServer, isIP, type Socket } from "node:net";
import { addFrame, Frames } from "../../dns/transfer/frames.ts";
import { cannotListen } from "../kit/cannot-listen.ts";
import { type AnswerContext, answerOther, answerPlainSafely } from "./answer-safely.ts";
import { Connections } from "./connections.ts";
import { Datagrams } from "./datagrams.ts";

export interface NameServerOptions extends AnswerContext {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /**
   * Limit on the queries over UDP that wait for an answer; more are dropped, and resolvers ask again. 10,000 by
   * default.
   */
  readonly mostDatagrams?: number;
}

export interface NameServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Idle time of a connection, in milliseconds (RFC 7766 §6.2.3). */
const idleMs = 10_000;

/**
 * Receive buffer for datagrams, in octets: they wait there while other work blocks the event loop. Linux grants less if
 * `net.core.rmem_max` is less.
 */
const receiveBuffer = 2 ** 22;

/**
 * Answers queries and zone transfers over UDP and TCP on one port.
 * @throws {ProblemError} `listen` if the port is in use or not permitted.
 */
export async function listenDns(options: NameServerOptions): Promise<NameServer> {
  const { host, port, mostDatagrams = 10_000 } = options;
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
  const family = host.includes(":") ? 6 : 4;
  const datagrams = createSocket({
    type: `udp${family}`,
    recvBufferSize: receiveBuffer,
    // The addresses of peers need no look-up.
    lookup: (name, options, found) => (isIP(name) ? found(null, name, family) : lookup(name, options, found)),
  });
  let taken = port;
  try {
    streams.listen(port, host);
    await once(streams, "listening");
    taken = (streams.address() as AddressInfo).port;
    const listening = once(datagrams, "listening");
    datagrams.bind(taken, host);
    await listening;
  } catch (error) {
    streams.close();
    throw cannotListen(`cannot answer names on ${host} port ${port}`, error);
  }
  datagrams.on("error", options.onError);
  const answers = new Datagrams(datagrams, options, mostDatagrams);
  datagrams.on("message", (octets, peer) => answers.take(octets, peer));
  const close = async () => {
    const closed = [once(streams, "close"), once(datagrams, "close")];
    streams.close();
    for (const socket of open) socket.destroy();
    datagrams.removeAllListeners("message");
    await answers.end(); // a closed socket cannot send
    datagrams.close();
    await Promise.all(closed);
  };
  return { port: taken, close };
}

/** Answers the queries on a connection in their order; a transfer waits until the peer has read it. */
async function answerConnection(socket: Socket, options: NameServerOptions): Promise<void> {
  const frames = new Frames();
  socket.setTimeout(idleMs, () => socket.destroy());
  try {
    for await (const chunk of socket) {
      for (const octets of frames.take(chunk as Buffer)) {
        for await (const reply of answersTo(octets, socket.remoteAddress ?? "", options)) {
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

async function* answersTo(octets: Buffer, address: string, options: NameServerOptions): AsyncGenerator<Buffer> {
  const place = { transport: "tcp", address } as const;
  const version = await options.zones.known?.version();
  const reply = version === undefined ? undefined : answerPlainSafely(octets, { ...place, version }, options);
  if (reply === undefined) yield* answerOther(octets, place, options);
  else if (reply !== "none") yield reply;
}
