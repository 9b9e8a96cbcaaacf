import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { opcode } from "../../../src/dns/transfer/codes.ts";
import { addFrame, Frames } from "../../../src/dns/transfer/frames.ts";
import { type Message, readMessage } from "../../../src/dns/transfer/message.ts";
import type { ServerAddress } from "../../../src/dns-client/server-address.ts";
import { freePort } from "../../dns/transfer/nameservers.ts";

/** An update on its way to the server. */
export interface Passing {
  readonly message: Message;
  readonly octets: Uint8Array;
  /** The connection of the client. */
  readonly client: Socket;
  /** Gives the update to the server, and returns its reply. */
  forward(): Promise<Buffer>;
  /** Gives only the first octets of the frame to the server, and hangs up there; resolves once the server has, too. */
  forwardPart(octets: number): Promise<void>;
  /** Gives a reply to the client. */
  reply(octets: Uint8Array): void;
}

export interface UpdateRelay extends ServerAddress {
  /** Called with each update, which goes no further by itself. */
  onUpdate: (update: Passing) => Promise<void>;
  /** Called with each other message over TCP; returns whether it is passed on. Otherwise the relay hangs up. */
  onQuery: (message: Message) => boolean;
  /** Refuses connections until it listens again. */
  refuse(): void;
  listen(): Promise<void>;
  stop(): void;
}

/** Passes messages on to a name server, and back, over UDP and TCP; what happens to updates is decided on the way. */
export async function startUpdateRelay(to: ServerAddress): Promise<UpdateRelay> {
  const address = { host: "127.0.0.1", port: await freePort() };
  const sockets = new Set<Socket>();
  const relay: UpdateRelay = {
    ...address,
    onUpdate: async ({ forward, reply }) => reply(await forward()),
    onQuery: () => true,
    refuse: () => void server.close(),
    listen: async () => void (await once(server.listen(address.port, address.host), "listening")),
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      datagrams.close();
    },
  };
  const open = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {}); // the other side may hang up at any moment
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((client) => {
    open(client);
    const behind = open(connect(to));
    client.on("close", () => behind.destroy());
    const hangUp = () => client.end();
    behind.on("close", hangUp);
    const [requests, replies] = [new Frames(), new Frames()];
    let takeReply = (octets: Buffer): void => void client.write(addFrame(octets));
    behind.on("data", (chunk) => {
      for (const octets of replies.take(chunk)) takeReply(Buffer.from(octets));
    });
    const pass = async (octets: Uint8Array) => {
      const message = readMessage(octets);
      if (message.opcode !== opcode.update) {
        if (relay.onQuery(message)) behind.write(addFrame(octets));
        else client.resetAndDestroy();
        return;
      }
      const forward = () =>
        new Promise<Buffer>((resolve) => {
          takeReply = resolve;
          behind.write(addFrame(octets));
        });
      const forwardPart = async (octetsOfFrame: number) => {
        takeReply = () => {};
        behind.removeListener("close", hangUp);
        behind.end(addFrame(octets).subarray(0, octetsOfFrame));
        await once(behind, "close");
      };
      const reply = (reply: Uint8Array) => void client.write(addFrame(reply));
      await relay.onUpdate({ message, octets, client, forward, forwardPart, reply });
    };
    const fail = (error: unknown) => {
      client.destroy();
      throw error;
    };
    client.on("data", (chunk) => {
      for (const octets of requests.take(chunk)) void pass(octets).catch(fail);
    });
  });
  const datagrams = createSocket("udp4");
  datagrams.on("message", (question, { port, address }) => {
    const behind = createSocket("udp4");
    behind.on("message", (answer) => {
      datagrams.send(answer, port, address);
      behind.close();
    });
    behind.on("error", () => {}); // a server that has ended
    behind.send(question, to.port, to.host);
  });
  await Promise.all([relay.listen(), once(datagrams.bind(address.port, address.host), "listening")]);
  return relay;
}
