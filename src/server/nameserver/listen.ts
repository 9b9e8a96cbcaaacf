import { createSocket } from "node:dgram";
import { lookup } from "node:dns";
import { once } from "node:events";
import { type AddressInfo, createServer, isIP } from "node:net";
import { cannotListen } from "../kit/cannot-listen.ts";
import type { AnswerContext } from "./answer-safely.ts";
import { mostQueued } from "./connection.ts";
import { Connections } from "./connections.ts";
import { Datagrams } from "./datagrams.ts";
import { Transfers } from "./transfers.ts";
import { Turns } from "./turns.ts";

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

/** The time between two searches for connections to close, in milliseconds. */
const searchMs = 1000;

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
  const turns = new Turns(options.zones.known);
  const context = { ...options, transfers: new Transfers() };
  const connections = new Connections(context, turns);
  const streams = createServer({ allowHalfOpen: true, noDelay: true, highWaterMark: mostQueued }, (socket) =>
    connections.take(socket),
  );
  const family = host.includes(":") ? 6 : 4;
  const datagrams = createSocket({
    type: `udp${family}`,
    recvBufferSize: receiveBuffer,
    // The addresses of peers need no look-up.
    lookup: (name, options, found) => (isIP(name) ? found(null, name, family) : lookup(name, options, found)),
  });
  const answers = new Datagrams(datagrams, options, turns, mostDatagrams);
  datagrams.on("message", (octets, peer) => answers.take(octets, peer));
  turns.add(answers);
  turns.add(connections);
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
    connections.closeAll();
    datagrams.close();
    throw cannotListen(`cannot answer names on ${host} port ${port}`, error);
  }
  datagrams.on("error", options.onError);
  const search = setInterval(() => connections.closeOverdue(), searchMs).unref();
  const close = async () => {
    const closed = [once(streams, "close"), once(datagrams, "close")];
    clearInterval(search);
    streams.close();
    connections.closeAll();
    datagrams.removeAllListeners("message");
    await turns.end(); // a closed socket cannot send
    await answers.end();
    datagrams.close();
    await Promise.all(closed);
  };
  return { port: taken, close };
}
