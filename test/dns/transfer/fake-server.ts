import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { addFrame, Frames } from "../../../src/dns/transfer/frames.ts";
import type { ServerAddress } from "../../../src/dns-client/server-address.ts";

/** A name server on TCP that answers each message with these, as long as the test lives. */
export function fakeServer(answer: (query: Buffer) => Iterable<Uint8Array>): Promise<ServerAddress> {
  return tcpServer((socket) => {
    const frames = new Frames();
    socket.on("data", (chunk) => {
      for (const query of frames.take(chunk)) for (const message of answer(query)) socket.write(addFrame(message));
    });
  });
}

/** Forwards requests to a server, and the first `octets` of its replies; then it disconnects. */
export function proxy({ host, port }: ServerAddress, octets: number): Promise<ServerAddress> {
  return tcpServer((socket) => {
    let left = octets;
    const behind = connect({ host, port });
    behind.on("error", () => socket.destroy());
    socket.on("data", (chunk) => behind.write(chunk));
    socket.on("close", () => behind.destroy());
    behind.on("data", (chunk) => {
      socket.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) socket.end();
    });
  });
}

export async function tcpServer(converse: (socket: Socket) => void): Promise<ServerAddress> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}); // the other side may hang up at any moment
    converse(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { host: "127.0.0.1", port: (server.address() as AddressInfo).port };
}
