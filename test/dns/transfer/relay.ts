import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Frames } from "../../../src/dns/transfer/frames.ts";
import { readMessage } from "../../../src/dns/transfer/message.ts";
import type { ServerAddress } from "../../../src/dns-client/server-address.ts";

export interface Relay extends ServerAddress {
  /** The zones that were requested so far, each request once. */
  readonly requests: readonly string[];
  stop(): void;
}

/** Forwards connections to a name server; `onRequest` is called before each request is passed on. */
export async function startRelay(
  to: ServerAddress,
  { host = "127.0.0.1", onRequest }: { host?: string; onRequest?: (requests: number) => void } = {},
): Promise<Relay> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const behind = connect(to);
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {}); // the other side may hang up at any moment
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    const frames = new Frames();
    socket.on("data", (chunk) => {
      for (const query of frames.take(chunk)) {
        requests.push(readMessage(query).questions[0]?.name ?? "");
        onRequest?.(requests.length);
      }
      behind.write(chunk);
    });
    behind.pipe(socket);
  });
  await once(server.listen(0, host), "listening");
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { host, port: (server.address() as AddressInfo).port, requests, stop };
}
