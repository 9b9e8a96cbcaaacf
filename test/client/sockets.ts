import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createHttp, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createNet, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTls } from "node:tls";
import { onTestFinished } from "vitest";

/** Servers on a free port of 127.0.0.1 that live as long as the test. Each gives its origin. */
export function httpServer(listener: RequestListener): Promise<string> {
  return listen(createHttp(listener));
}

/** Speaks raw bytes; `receive` gets the socket and what came in since the connection began. */
export function rawServer(receive: (socket: Socket, text: string) => void): Promise<string> {
  return listen(createNet((socket) => converse(socket, receive)));
}

/** A key of no value, and a self-signed certificate for 127.0.0.1 that is valid until 2126. */
const untrusted = readFileSync(new URL("untrusted.pem", import.meta.url));

/** A TLS server with a self-signed certificate. */
export async function tlsServer(receive: (socket: Socket, text: string) => void): Promise<string> {
  const server = createTls({ key: untrusted, cert: untrusted }, (socket) => converse(socket, receive));
  return (await listen(server)).replace("http:", "https:");
}

/** An origin without a listener. A port that was free a moment ago may already be that of another test. */
export function deafPort(): Promise<string> {
  return Promise.resolve("http://127.0.0.1:1");
}

function converse(socket: Socket, receive: (socket: Socket, text: string) => void): void {
  let text = "";
  socket.on("error", () => {}); // the client may hang up at any moment; that is what the tests are about
  socket.on("data", (chunk) => {
    text += chunk;
    receive(socket, text);
  });
}

export async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * A key, and a certificate for these names (as openssl writes them: `DNS:…,IP:…`) that is self-signed.
 */
export function selfSigned(names: string): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  try {
    const made = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=127.0.0.1";
    const args = [...made.split(" "), "-addext", `subjectAltName=${names}`, "-keyout", key, "-out", cert];
    execFileSync("openssl", args, { stdio: "ignore" });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
