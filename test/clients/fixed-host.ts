import { writeFileSync } from "node:fs";
import { createServer as createHttp, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { createServer as createTls } from "node:tls";
import { listen, selfSigned } from "../client/sockets.ts";

/**
 * The way of clients whose host is fixed, as long as the test: a proxy that leads api.linode.com:443, and nothing else,
 * to a TLS end of that name, which speaks on with the server at `url`. Gives the environment that sends a client there,
 * with our certificate as the only one that it trusts.
 */
export async function fixedHost(url: string, folder: string): Promise<Record<string, string>> {
  const pair = selfSigned("DNS:api.linode.com");
  const bundle = join(folder, "api.linode.com.pem");
  writeFileSync(bundle, pair.cert);
  const secured = await listen(createTls(pair, (socket) => lead(socket, url)));

  const proxy = createHttp((_, reply) => reply.writeHead(403).end());
  proxy.on("connect", (request: IncomingMessage, socket: Duplex) => {
    if (request.url !== "api.linode.com:443") return socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    lead(socket, secured);
  });
  const way = await listen(proxy);
  return { HTTP_PROXY: way, HTTPS_PROXY: way, NO_PROXY: "127.0.0.1", REQUESTS_CA_BUNDLE: bundle };
}

function lead(near: Duplex, origin: string): void {
  const far = connect(Number(new URL(origin).port), "127.0.0.1");
  near.on("error", () => far.destroy());
  far.on("error", () => near.destroy());
  near.pipe(far).pipe(near);
}
