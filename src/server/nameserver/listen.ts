import { createSocket, type Socket as Datagrams } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { plainAddress } from "../../dns/address.ts";
import { Frames, framed } from "../../dns/transfer/frames.ts";
import { failure } from "./answer.ts";
import { Connections } from "./connections.ts";
import { type Answering, replies } from "./replies.ts";

export interface NameServiceOptions extends Answering {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** How many questions by UDP are answered at once; of more nothing is heard, and who asks asks again. 1,000 unless given. */
  readonly mostDatagrams?: number;
  /** Hears of every failure that nobody foresaw; who asked gets SERVFAIL. */
  readonly onError: (error: unknown) => void;
}

export interface NameService {
  readonly port: number;
  close(): Promise<void>;
}

/** How long a connection may say nothing, in milliseconds (RFC 7766 §6.2.3). */
const idleMs = 10_000;

/**
 * Answers questions by UDP and TCP, and gives zones to who may have them, on one port.
 * @throws the error of the system when the port is in use, or may not be used.
 */
export async function listenDns(options: NameServiceOptions): Promise<NameService> {
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
    void converse(socket, options);
  });
  streams.listen(port, host);
  await once(streams, "listening");
  const taken = (streams.address() as AddressInfo).port;
  const datagrams = createSocket(host.includes(":") ? "udp6" : "udp4");
  try {
    datagrams.bind(taken, host);
    await once(datagrams, "listening");
  } catch (error) {
    streams.close();
    throw error;
  }
  datagrams.on("error", options.onError);
  const { mostDatagrams = 1000 } = options;
  const underWay = new Set<Promise<void>>();
  datagrams.on("message", (octets, peer) => {
    // Nobody is at port 0 (RFC 768), and sending there throws.
    if (underWay.size === mostDatagrams || peer.port === 0) return;
    const answered = answerDatagram(datagrams, octets, peer, options).finally(() => underWay.delete(answered));
    underWay.add(answered);
  });
  return { port: taken, close: () => close(streams, datagrams, { open, underWay }) };
}

async function answerDatagram(
  datagrams: Datagrams,
  octets: Buffer,
  { address, port }: { address: string; port: number },
  options: NameServiceOptions,
): Promise<void> {
  for await (const reply of safely(octets, "udp", plainAddress(address), options)) datagrams.send(reply, port, address);
}

/** Answers what comes on a connection in its order; a transfer waits for who reads it. */
async function converse(socket: Socket, options: NameServiceOptions): Promise<void> {
  const frames = new Frames();
  socket.setTimeout(idleMs, () => socket.destroy());
  try {
    for await (const chunk of socket) {
      for (const octets of frames.take(chunk as Buffer)) {
        for await (const reply of safely(octets, "tcp", plainAddress(socket.remoteAddress ?? ""), options)) {
          if (!socket.write(framed(reply))) await Promise.race([once(socket, "drain"), once(socket, "close")]);
          if (socket.destroyed) return;
        }
      }
    }
  } catch {
    // Whoever asked is gone.
  } finally {
    socket.destroy();
  }
}

async function* safely(octets: Buffer, transport: "udp" | "tcp", peer: string, options: NameServiceOptions) {
  try {
    yield* replies(octets, transport, peer, options);
  } catch (error) {
    options.onError(error);
    const reply = failure(octets);
    if (reply) yield reply;
  }
}

async function close(
  streams: Server,
  datagrams: Datagrams,
  { open, underWay }: { open: ReadonlySet<Socket>; underWay: ReadonlySet<Promise<void>> },
): Promise<void> {
  const closed = [once(streams, "close"), once(datagrams, "close")];
  streams.close();
  for (const socket of open) socket.destroy();
  datagrams.removeAllListeners("message");
  await Promise.all(underWay); // what is closed cannot be sent on
  datagrams.close();
  await Promise.all(closed);
}
