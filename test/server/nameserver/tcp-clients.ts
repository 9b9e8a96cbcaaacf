import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished } from "vitest";
import { addFrame, Frames } from "../../../src/dns/transfer/frames.ts";
import { writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { listenDns, type NameServerOptions } from "../../../src/server/nameserver/listen.ts";
import { domainName } from "../../names.ts";

const host = "127.0.0.1";

/** A name server on 127.0.0.1, and its sides of the connections in the order in which they were accepted. */
export async function listen(options: Partial<NameServerOptions> & Pick<NameServerOptions, "zones">) {
  const sockets: Socket[] = [];
  const accept = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    if (socket.localPort === service.port) sockets.push(socket);
  };
  subscribe("net.server.socket", accept);
  const onError = (error: unknown) => expect.fail(String(error));
  const service = await listenDns({ host, port: 0, onError, ...options });
  onTestFinished(async () => {
    unsubscribe("net.server.socket", accept);
    await service.close();
  });
  /** Connects from an address of this machine; resolves when the server has accepted, too. */
  const open = async (localAddress = host): Promise<TcpClient> => {
    const socket = connect({ host, port: service.port, localAddress });
    onTestFinished(() => void socket.destroy());
    const client = new TcpClient(socket);
    await once(socket, "connect");
    const isPeer = ({ remotePort }: Socket) => remotePort === socket.localPort;
    while (!client.isClosed && !sockets.some(isPeer)) await turn();
    return client;
  };
  /** The server's side of a connection. */
  const sideOf = ({ socket }: TcpClient): Socket =>
    sockets.find(({ remotePort }) => remotePort === socket.localPort) ?? expect.fail("not accepted");
  return { at: { host, port: service.port }, open, sideOf, sides: sockets };
}

/** A turn of the event loop. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await turn();
}

export const question = (name: string, type = "A", id = 0) =>
  writeMessage({ id, questions: [{ name: domainName(name), type, class: 1 }] });

/** A raw connection, which reads unless it is told not to. */
export class TcpClient {
  readonly socket: Socket;
  /** The messages that have arrived. */
  readonly received: Buffer[] = [];
  /** Whether the server has hung up. */
  isClosed = false;

  constructor(socket: Socket) {
    this.socket = socket;
    const frames = new Frames();
    socket.on("data", (chunk) => this.received.push(...frames.take(chunk)));
    socket.on("error", () => {}); // hung up on
    socket.on("close", () => {
      this.isClosed = true;
    });
  }

  send(...messages: readonly Uint8Array[]): void {
    this.socket.write(Buffer.concat(messages.map(addFrame)));
  }

  /** Waits for the next message; undefined if the server hangs up instead. */
  async answer(message: Uint8Array): Promise<Buffer | undefined> {
    const before = this.received.length;
    this.send(message);
    await until(() => this.isClosed || this.received.length > before);
    return this.received[before];
  }
}
