import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { createProbe } from "../../../src/server/areas/managed/probe.ts";
import { createReach, type LookUp } from "../../../src/server/areas/managed/reach.ts";
import { allowProbes } from "../../../src/server/kit/allowed-networks.ts";

/** The only address that probes of these tests may connect to. */
export const allowed = "127.0.0.1";
/** Another address of this machine, which they may not. */
export const forbidden = "127.0.0.2";
export const isAllowed = allowProbes([{ address: allowed, prefix: 32 }]);

/** Looks up names in a table; a name with several entries has another one at each lookup. */
export function table(names: Record<string, string[][]>): LookUp & { readonly asked: string[] } {
  const asked: string[] = [];
  const lookUp = async (name: string) => {
    asked.push(name);
    return (names[name]?.length ?? 0) > 1 ? (names[name]?.shift() ?? []) : (names[name]?.[0] ?? []);
  };
  return Object.assign(lookUp, { asked });
}

export const names = () =>
  table({ "shop.example": [[allowed]], "inside.example": [[forbidden]], "none.example": [[]] });

interface Wanted {
  readonly type?: "url" | "tcp";
  readonly body?: string | null;
  readonly lookUp?: LookUp;
  readonly signal?: AbortSignal;
}

/** Probes an address; a probe without a signal has no end but its own limits. */
export function probe(address: string, { type = "url", body = null, lookUp = names(), signal }: Wanted = {}) {
  const service = { service_type: type, address, body, timeout: 5 };
  return createProbe(createReach(isAllowed, lookUp))(service, signal ?? new AbortController().signal);
}

export async function listenOn<S extends Server>(server: S, host: string, port = 0): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

/** A web server at the allowed address: its port. */
export const serveWeb = (answer: RequestListener, host = allowed) => listenOn(createHttpServer(answer), host);

/** A server of octets. */
export const serveOctets = (answer: (socket: Socket) => void, host = allowed) => listenOn(createServer(answer), host);

/** Sends the same octets again and again, as fast as they are read. */
export function sendWithoutEnd(socket: Socket, octets: string | Buffer): void {
  const send = () => {
    while (!socket.destroyed && socket.write(octets));
  };
  socket.on("drain", send);
  send();
}

/** A trap at the forbidden address that counts connections. */
export async function setTrap() {
  let connections = 0;
  const port = await serveOctets(() => void connections++, forbidden);
  return { port, count: () => connections };
}
