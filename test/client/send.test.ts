import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { createSend, type Send, type SendOptions } from "../../src/client/send.ts";
import { TransportError } from "../../src/client/transport-error.ts";
import { domain, errorOf, fakeSleep } from "./fake-send.ts";
import { deafPort, httpServer, rawServer, tlsServer } from "./sockets.ts";

const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n";
const look = "It may have taken effect: check before sending it again.";
const reach = "Check the base URL, the network and any firewall in between.";

interface Case {
  /** A program that the case needs. */
  origin: () => Promise<string>;
  send?: SendOptions;
  message: string;
  kind: string;
  outcome: string;
}

/** The error of a client after a POST to faulty servers; their address is written `<origin>`,
 * and `<code>` what depends on how fast the system tells. */
const cases: Record<string, Case> = {
  "connection refused": {
    origin: deafPort,
    message: "no server listens at <origin>. Start the server (`npx zonewright serve`), or correct the base URL.",
    kind: "refused",
    outcome: "not-sent",
  },
  "reset before the reply": {
    origin: () => rawServer((socket) => socket.resetAndDestroy()),
    message: `the connection to <origin> was lost before the reply was complete (<code>). ${look}`,
    kind: "reset",
    outcome: "ambiguous",
  },
  "closed before the reply": {
    origin: () => rawServer((socket) => socket.end()),
    message: `the connection to <origin> was lost before the reply was complete (<code>). ${look}`,
    kind: "reset",
    outcome: "ambiguous",
  },
  "closed in the middle of the body": {
    origin: () => rawServer((socket) => socket.end(`${head}{"id":12,`)),
    message: `the connection to <origin> was lost before the reply was complete (<code>). ${look}`,
    kind: "reset",
    outcome: "ambiguous",
  },
  "reset in the middle of the body": {
    origin: () =>
      rawServer((socket) => socket.write(`${head}{"id":12,`, () => setImmediate(() => socket.resetAndDestroy()))),
    message: `the connection to <origin> was lost before the reply was complete (<code>). ${look}`,
    kind: "reset",
    outcome: "ambiguous",
  },
  "a body without an end": {
    origin: () =>
      rawServer((socket) => {
        const megabyte = Buffer.alloc(1_000_000, "x");
        const pour = () => {
          while (socket.writable && socket.write(megabyte));
        };
        socket.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n");
        socket.on("drain", pour);
        pour();
      }),
    message: `the reply of <origin> is longer than 67,108,864 octets. Check that the base URL is that of the service, and not of a page or a file. ${look}`,
    kind: "too-long",
    outcome: "ambiguous",
  },
  "closed early in a body that ends with the connection": {
    origin: () => rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"id":12,')),
    message: `200 with a body (an unknown type) that is not the API's: {"id":12,. Check the base URL <origin>, and any proxy between. ${look}`,
    kind: "reply",
    outcome: "ambiguous",
  },
  "no reply": {
    origin: () => rawServer(() => {}),
    send: { timeoutMs: 50 },
    message: `no complete reply from <origin> within 0.05 s. ${look}`,
    kind: "timeout",
    outcome: "ambiguous",
  },
  "a body that stops": {
    origin: () => rawServer((socket) => socket.write(`${head}{"id":12,`)),
    send: { timeoutMs: 50 },
    message: `no complete reply from <origin> within 0.05 s. ${look}`,
    kind: "timeout",
    outcome: "ambiguous",
  },
  "a body that drips": {
    origin: () =>
      rawServer((socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n");
        const drip = setInterval(() => socket.write(" "), 10);
        socket.on("close", () => clearInterval(drip));
      }),
    send: { timeoutMs: 100 },
    message: `no complete reply from <origin> within 0.1 s. ${look}`,
    kind: "timeout",
    outcome: "ambiguous",
  },
  "no TLS handshake in time": {
    origin: async () => (await rawServer(() => {})).replace("http:", "https:"),
    send: { connectTimeoutMs: 50 },
    message: `cannot connect to <origin> within 0.05 s. ${reach}`,
    kind: "timeout",
    outcome: "not-sent",
  },
  "reset in the TLS handshake: nothing was sent yet": {
    origin: async () => (await rawServer((socket) => socket.resetAndDestroy())).replace("http:", "https:"),
    message: `cannot connect to <origin> (ECONNRESET). ${reach}`,
    kind: "connect",
    outcome: "not-sent",
  },
  "plain HTTP where TLS is expected": {
    origin: async () => (await httpServer((_, response) => response.end())).replace("http:", "https:"),
    message:
      'cannot establish TLS with <origin> (ERR_SSL_WRONG_VERSION_NUMBER). If the server uses plain HTTP, start the base URL with "http://".',
    kind: "tls",
    outcome: "not-sent",
  },
  "an untrusted certificate": {
    origin: () => tlsServer(() => {}),
    message:
      "the TLS certificate of <origin> is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). If you run the certificate " +
      "authority yourself, set NODE_EXTRA_CA_CERTS to the file of its certificate.",
    kind: "tls",
    outcome: "not-sent",
  },
  "another protocol": {
    origin: () => rawServer((socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n")),
    message: `the reply from <origin> is incomplete or not HTTP. If this persists, another program is listening there: correct the base URL. ${look}`,
    kind: "reply",
    outcome: "ambiguous",
  },
  "HTML of a proxy": {
    origin: () =>
      httpServer((_, response) => response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>Bad Gateway</h1>")),
    message:
      "502 with a body (text/html) that is not the API's: <h1>Bad Gateway</h1>. Check the base URL <origin>, and any proxy " +
      `between. ${look}`,
    kind: "reply",
    outcome: "ambiguous",
  },
  "a redirect": {
    origin: () =>
      httpServer((_, response) => response.writeHead(308, { Location: "https://elsewhere.example/" }).end()),
    message: `308, a redirect to https://elsewhere.example/. Set the base URL to the address of the service itself. ${look}`,
    kind: "reply",
    outcome: "ambiguous",
  },
};

test("a long body that takes longer than the time limit is read to its end", async () => {
  const origin = await httpServer((_, response) => {
    let sent = 0;
    const go = setInterval(() => {
      response.write(Buffer.alloc(2000, "x"));
      if (++sent < 20) return;
      clearInterval(go);
      response.end();
    }, 20);
  });
  const reply = await sender({ timeoutMs: 150 })(new Request(origin));
  expect((await reply.text()).length).toBe(40_000);
});

test.for(Object.entries(cases))("%s", async ([, { origin, send: options, ...expected }]) => {
  const baseUrl = await origin();
  const client = createClient({ baseUrl, token: "secret-token", send: sender(options), retries: 0 });
  const error = await errorOf(client.createDomain({ body: { type: "master", domain: "example.com" } }));
  if (!(error instanceof TransportError)) throw error;
  const { message, kind, outcome } = error;
  const shown = message
    .replaceAll(baseUrl, "<origin>")
    .replace(/complete \((ECONNRESET|UND_ERR_SOCKET)\)/, "complete (<code>)");
  expect({ message: shown, kind, outcome }).toEqual({
    ...expected,
    message: `POST /v4/domains: ${expected.message}`,
  });
});

test("sends a write once if its connection dies, even on a reused connection", async () => {
  const seen: string[] = [];
  const baseUrl = await httpServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (request.method === "GET") response.end(JSON.stringify(domain));
    else request.socket.destroy();
  });
  const client = createClient({ baseUrl, send: sender(), sleep: fakeSleep().sleep });
  await client.getDomain({ domainId: 12 });
  expect(await errorOf(client.deleteDomain({ domainId: 12 }))).toMatchObject({ kind: "reset", outcome: "ambiguous" });
  expect(seen).toEqual(["GET /v4/domains/12", "DELETE /v4/domains/12"]);
});

test("reuses connections and opens no more than allowed", async () => {
  const ports = new Set<number | undefined>();
  const baseUrl = await httpServer((request, response) => {
    ports.add(request.socket.remotePort);
    setImmediate(() => response.end(JSON.stringify(domain)));
  });
  const client = createClient({ baseUrl, send: sender({ connections: 2 }) });
  await Promise.all(Array.from({ length: 20 }, () => client.getDomain({ domainId: 12 })));
  expect(ports.size).toBe(2);
});

test("transmits requests and replies unchanged, including non-ASCII text", async () => {
  const received: unknown[] = [];
  const baseUrl = await httpServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const { authorization, "content-length": length, "transfer-encoding": chunked } = request.headers;
    received.push([request.method, request.url, authorization, length, chunked, body]);
    const reply = Buffer.from(JSON.stringify({ ...domain, description: "zürich ☃" }));
    response.write(reply.subarray(0, -30)); // the pieces part inside a letter
    setImmediate(() => response.end(reply.subarray(-30)));
  });
  const client = createClient({ baseUrl, token: "secret-token", send: sender() });
  const reply = await client.updateDomain({ domainId: 12, body: { description: "zürich ☃" } });
  expect(reply).toEqual({ ...domain, description: "zürich ☃" });
  const body = '{"description":"zürich ☃"}';
  const length = String(Buffer.byteLength(body));
  expect(received).toEqual([["PUT", "/v4/domains/12", "Bearer secret-token", length, undefined, body]]);
});

test.each([
  ["with Retry-After", { "Retry-After": "2" }, [2_000]],
  ["without", {}, [0]],
])("429 %s over a socket", async (_, headers, expected) => {
  let asked = 0;
  const baseUrl = await httpServer((_, response) => {
    if (asked++ > 0) response.end("{}");
    else response.writeHead(429, headers).end('{"errors":[{"reason":"Too many requests"}]}');
  });
  const { sleep, waits } = fakeSleep();
  const client = createClient({ baseUrl, send: sender(), sleep, random: () => 0 });
  expect(await client.deleteDomain({ domainId: 12 })).toEqual({});
  expect(waits).toEqual(expected);
});

test("an abort closes the connection", async () => {
  const controller = new AbortController();
  const events: string[] = [];
  const baseUrl = await rawServer((socket) => {
    socket.on("close", () => events.push("closed"));
    controller.abort();
  });
  const client = createClient({ baseUrl, send: sender() });
  const error = await errorOf(client.deleteDomain({ domainId: 12 }, { signal: controller.signal }));
  expect(error).toMatchObject({ kind: "aborted", outcome: "ambiguous" });
  await expect.poll(() => events).toEqual(["closed"]);
});

test("the client creates its own sender with its timeout", async () => {
  const baseUrl = await rawServer(() => {});
  const client = createClient({ baseUrl, timeoutMs: 30, retries: 0 });
  expect(await errorOf(client.listDomains())).toMatchObject({
    message: `GET /v4/domains: no complete reply from ${baseUrl} within 0.03 s`,
  });
});

/** A sender that is closed when the test ends. */
function sender(options?: SendOptions): Send {
  const send = createSend(options);
  onTestFinished(() => send.close());
  return send;
}
