import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type Listening, type ListenOptions, listen } from "../../src/server/http/node.ts";
import { pathOf } from "../../src/server/kit/request.ts";
import { start } from "./start.ts";

const open: Listening[] = [];
afterEach(async () => {
  for (const listening of open.splice(0)) await listening.close();
});

async function listenTo(
  server: Parameters<typeof listen>[0],
  { port = 0, timeouts = {} }: Partial<ListenOptions> = {},
): Promise<Listening> {
  const listening = await listen(server, { port, timeouts });
  open.push(listening);
  return listening;
}

test("serves over HTTP, with the exact Content-Type and the caller's address", async () => {
  const api = await start();
  const { url } = await listenTo(api.server);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await api.domain("example.com");
  const headers = { Authorization: `Bearer ${api.token}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ type: "A", target: "[remote_addr]" });
  const response = await fetch(`${url}/v4/domains/1/records`, { method: "POST", headers, body });
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("application/json");
  expect(((await response.json()) as { target: string }).target).toBe("127.0.0.1");
  expect((await fetch(`${url}/v4/nothing`)).headers.get("Content-Type")).toBe("application/json");
});

test("tolerates a body on GET", async () => {
  const api = await start();
  const { url } = await listenTo(api.server);
  const headers = { Authorization: `Bearer ${api.token}`, "Content-Type": "application/json", "Content-Length": "2" };
  const status = await new Promise((resolve, reject) => {
    httpRequest(`${url}/v4/domains`, { method: "GET", headers }, (reply) => resolve(reply.resume().statusCode))
      .on("error", reject)
      .end("{}");
  });
  expect(status).toBe(200);
});

test("a body over the limit is refused while it is received", async () => {
  const api = await start();
  const { url } = await listenTo(api.server);
  const headers = { Authorization: `Bearer ${api.token}` };
  const body = JSON.stringify({ domain: "x".repeat(2 * 1024 * 1024) });
  const response = await fetch(`${url}/v4/domains`, { method: "POST", headers, body });
  expect(response.status).toBe(413);
  expect(await response.json()).toEqual({ errors: [{ reason: "The request body is larger than 1 MiB" }] });
});

/** Newer versions of Node accept the names among them. */
const invalidHosts = ["256.0.0.1", "1.2.3.4.5", "0x100000000", "xn--", "a.xn--a", "api:65536"].filter(
  (host) => !URL.canParse(`http://${host}`),
);

describe("unreadable requests are refused in JSON, with all headers", () => {
  const host = "Host: api\r\n";
  const brief = { headers: 50, request: 50 };
  test.each<[string, string, number, string, reason?: string]>([
    ["incomplete headers", "GET /v4/domains HTTP/1.1\r\nHost:", 408, "Request Timeout"],
    [
      "an incomplete body",
      `POST /v4/domains HTTP/1.1\r\n${host}Authorization: Bearer TOKEN\r\nContent-Length: 9\r\n\r\n{`,
      408,
      "Request Timeout",
    ],
    ["no HTTP", "Good morning\r\n\r\n", 400, "Bad Request"],
    [
      "headers without end",
      `GET / HTTP/1.1\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
      431,
      "Request Header Fields Too Large",
    ],
    [
      "two lengths",
      `POST / HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
      "Bad Request",
    ],
    [
      "chunks with long extensions",
      `POST /v4/domains HTTP/1.1\r\n${host}Authorization: Bearer TOKEN\r\nTransfer-Encoding: chunked\r\n\r\n1;${"x".repeat(20_000)}\r\n{`,
      413,
      "Payload Too Large",
    ],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "Bad Request"],
    ["a tunnel", `CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`, 501, "Not Implemented"],
    ["no host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "Bad Request", "Missing host header"],
    [
      "two hosts",
      "GET /healthz HTTP/1.1\r\nHost: api\r\nhOST: api\r\nConnection: close\r\n\r\n",
      400,
      "Bad Request",
      "More than one host header",
    ],
    [
      "two hosts in HTTP/1.0",
      "GET /healthz HTTP/1.0\r\nHost: api\r\nHost: other\r\n\r\n",
      400,
      "Bad Request",
      "More than one host header",
    ],
    [
      "an invalid host",
      "GET /healthz HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
      400,
      "Bad Request",
      "Invalid URL",
    ],
    ...invalidHosts.map((invalid): [string, string, number, string, string] => [
      `the host ${invalid}`,
      `GET /v4/domains?page=1 HTTP/1.1\r\nHost: ${invalid}\r\nConnection: close\r\n\r\n`,
      400,
      "Bad Request",
      "Invalid URL",
    ]),
    [
      "the server as a whole",
      `OPTIONS * HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
      400,
      "Bad Request",
      "Invalid URL",
    ],
    [
      "a URL that is none",
      `GET http://[/healthz HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
      400,
      "Bad Request",
      "Invalid absolute URL",
    ],
  ])("%s", async (_, text, status, phrase, reason = phrase) => {
    const api = await start();
    const reply = await sendRaw(api, text, status === 408 ? brief : {});
    const body = JSON.stringify({ errors: [{ reason }] });
    expect(reply).toEqual({
      status: `HTTP/1.1 ${status} ${phrase}`,
      headers: {
        ...Object.fromEntries((await api.ask("GET", "/nothing", undefined, { as: "" })).headers),
        "content-length": String(body.length),
        connection: "close",
      },
      body,
    });
  });

  test.each([
    ["HTTP/1.0 without a host", "GET /healthz HTTP/1.0\r\n\r\n"],
    ["an unknown expectation", "GET /healthz HTTP/1.1\r\nHost: api\r\nExpect: more\r\nConnection: close\r\n\r\n"],
    ["a whole URL", "GET http://api/healthz HTTP/1.1\r\nHost: api\r\nConnection: close\r\n\r\n"],
  ])("%s, and is answered", async (_, text) => {
    const { status, body } = await sendRaw(await start(), text);
    expect([status, body]).toEqual(["HTTP/1.1 200 OK", '{"status":"ok"}']);
  });

  test("an aborted CONNECT does not affect the server", async () => {
    const api = await start();
    const { url } = await listenTo(api.server);
    for (let times = 0; times < 8; times++) {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      await once(socket, "connect");
      socket.write(`CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`);
      socket.resetAndDestroy();
      await once(socket, "close");
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test.each([
    ["a tunnel", `CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`],
    ["incomplete headers", "GET /v4/domains HTTP/1.1\r\nHost:"],
  ])("%s, from a client that never hangs up, does not keep the port", async (_, text) => {
    const api = await start();
    const listening = await listen(api.server, { port: 0, timeouts: { headers: 50, request: 50 } });
    const socket = connect({ port: Number(new URL(listening.url).port), host: "127.0.0.1", allowHalfOpen: true });
    socket.write(text);
    await once(socket.resume(), "end");
    await listening.close();
    socket.destroy();
  });

  /** The reply to this text, until the end of the connection. */
  async function sendRaw(
    api: Awaited<ReturnType<typeof start>>,
    text: string,
    timeouts: ListenOptions["timeouts"] = {},
  ) {
    const listening = await listenTo(api.server, { timeouts });
    const socket = connect(Number(new URL(listening.url).port), "127.0.0.1");
    socket.write(text.replace("TOKEN", api.token));
    let reply = "";
    socket.setEncoding("utf8").on("data", (chunk) => {
      reply += chunk;
    });
    await once(socket, "close");
    const [head = "", body] = reply.split("\r\n\r\n");
    const [status, ...lines] = head.split("\r\n");
    const headers = new Headers(lines.map((line) => [line.split(": ")[0] ?? "", line.slice(line.indexOf(": ") + 2)]));
    headers.delete("date"); // Node's own
    return { status, headers: Object.fromEntries(headers), body };
  }
});

test("close finishes requests in progress, then releases the port", async () => {
  const api = await start();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrived = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const listening = await listen(
    async (request, connection) => {
      arrived();
      await held;
      return api.server(request, connection);
    },
    { port: 0 },
  );
  const reply = fetch(`${listening.url}/v4/nothing`);
  await arrival;
  let isClosed = false;
  const closed = listening.close().then(() => {
    isClosed = true;
  });
  await expect(fetch(`${listening.url}/v4/nothing`)).rejects.toThrow();
  expect(isClosed).toBe(false);
  release();
  expect((await reply).status).toBe(404);
  const began = Date.now();
  await closed;
  expect(Date.now() - began).toBeLessThan(1000);
  await listenTo(api.server, { port: Number(new URL(listening.url).port) });
});

test("a request whose body was late is not carried out when the rest arrives", async () => {
  const api = await start();
  const { url } = await listenTo(api.server, { timeouts: { headers: 50, request: 50 } });
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const body = JSON.stringify({ domain: "example.com", type: "master", soa_email: "a@example.com" });
  const head = `POST /v4/domains HTTP/1.1\r\nHost: api\r\nAuthorization: Bearer ${api.token}\r\n`;
  const type = "Content-Type: application/json\r\n";
  socket.write(`${head}${type}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`);
  const [refusal] = await once(socket, "data");
  expect(String(refusal)).toMatch(/^HTTP\/1\.1 408 /);
  socket.write(body.slice(5));
  await once(socket, "close");
  expect(await (await api.ask("GET", "/v4/domains")).json()).toMatchObject({ results: 0 });
});

test("the signal of a request is aborted when its client disconnects", async () => {
  const api = await start();
  const aborts: string[] = [];
  let abort = () => {};
  const isAborted = new Promise<void>((resolve) => {
    abort = resolve;
  });
  const reply: typeof api.server.reply = async (request) => {
    const path = pathOf(request);
    request.signal.addEventListener("abort", () => {
      aborts.push(path);
      abort();
    });
    if (path === "/stay") await isAborted;
    return { status: 200, headers: {}, body: `${request.signal.aborted}` };
  };
  const { url } = await listenTo(Object.assign(api.server, { reply }));
  expect(await (await fetch(`${url}/other`)).text()).toBe("false");
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write("GET /stay HTTP/1.1\r\nHost: api\r\n\r\n");
  await once(socket, "connect");
  socket.destroy();
  await isAborted;
  expect(aborts).toEqual(["/stay"]);
});

test("a port in use is reported as a problem", async () => {
  const api = await start();
  const { url } = await listenTo(api.server);
  const port = Number(new URL(url).port);
  await expect(listen(api.server, { port })).rejects.toMatchObject({
    name: "ProblemError",
    problems: [
      {
        id: "listen",
        kind: "failed",
        severity: "error",
        summary: `cannot listen on 127.0.0.1 port ${port}`,
        detail: "Another program already uses this port.",
        fix: "Stop the other program, or choose another port or address.",
      },
    ],
  });
});
