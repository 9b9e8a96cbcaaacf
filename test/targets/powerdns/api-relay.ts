import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A reply of the API. */
export interface RelayedReply {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** A request on its way to PowerDNS. */
export interface PassingRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
  /** Gives the request to PowerDNS, perhaps with another body, and returns its reply. */
  forward(body?: Buffer): Promise<RelayedReply>;
  /** Gives a reply to the client. */
  reply(reply: Pick<RelayedReply, "status" | "body"> & Partial<RelayedReply>): void;
  /** Hangs up without a reply. */
  cut(): void;
}

export interface ApiRelay {
  readonly url: string;
  /** Called with each request, which goes no further by itself. */
  onRequest: (request: PassingRequest) => Promise<void>;
  stop(): Promise<void>;
}

/** Passes requests on to the API at `port`, and replies back; what happens to each is decided on the way. */
export async function startApiRelay(port: number): Promise<ApiRelay> {
  const relay = { onRequest: pass };
  const server = createServer((incoming, outgoing) => {
    void receive(incoming)
      .then((body) => relay.onRequest(passing(incoming, outgoing, { port, body })))
      .catch(() => outgoing.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port: own } = server.address() as AddressInfo;
  return Object.assign(relay, {
    url: `http://127.0.0.1:${own}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });
}

/** A request that the API gets, and whose reply the client gets. */
export async function pass({ forward, reply }: PassingRequest): Promise<void> {
  reply(await forward());
}

/**
 * The place of the last look among the reads of a zone, which an action makes before it writes: the read that a PATCH
 * follows.
 */
export async function findLastLook(relay: ApiRelay, path: string, action: () => Promise<unknown>): Promise<number> {
  let reads = 0;
  let look = 0;
  relay.onRequest = async (request) => {
    if (request.method === "GET" && request.path.endsWith(path)) reads++;
    if (request.method === "PATCH") look = reads;
    await pass(request);
  };
  await action();
  return look;
}

/** Passes requests on, and does something before the read of a zone at this place. */
export function beforeRead(path: string, place: number, action: () => Promise<unknown>): ApiRelay["onRequest"] {
  let reads = 0;
  return async (request) => {
    if (request.method === "GET" && request.path.endsWith(path) && ++reads === place) await action();
    await pass(request);
  };
}

function passing(
  { method = "GET", url: path = "/", headers }: IncomingMessage,
  outgoing: ServerResponse,
  { port, body }: { readonly port: number; readonly body: Buffer },
): PassingRequest {
  return {
    method,
    path,
    body,
    async forward(given = body) {
      const length = { ...(given.length > 0 && { "content-length": given.length }) };
      const sent = request({
        host: "127.0.0.1",
        port,
        method,
        path,
        headers: { ...headers, ...length, connection: "close" },
      });
      sent.end(given);
      const [reply] = (await once(sent, "response")) as [IncomingMessage];
      return { status: reply.statusCode ?? 0, headers: reply.headers, body: await receive(reply) };
    },
    reply({ status, body, headers = {} }) {
      const { "content-type": type, location } = headers;
      outgoing.writeHead(status, { ...(type && { "content-type": type }), ...(location && { location }) }).end(body);
    },
    cut: () => void outgoing.destroy(),
  };
}

async function receive(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
