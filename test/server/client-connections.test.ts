import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type ConnectionLimits, defaultLimits } from "../../src/server/http/client-connection.ts";
import { listen, type Timeouts } from "../../src/server/http/node.ts";
import type { Server } from "../../src/server/http/router.ts";
import { countLoopTurns } from "./count-loop-turns.ts";

const host = "127.0.0.1";

interface Options {
  readonly limits?: Partial<ConnectionLimits>;
  readonly timeouts?: Partial<Timeouts>;
}

/** Serves a function by the transport of the API, and counts the requests that it begins. */
async function listenTo(answer: (request: Request) => Promise<Response>, { limits, timeouts }: Options = {}) {
  const counts = { begun: 0 };
  const server: Server = (request) => {
    counts.begun++;
    return answer(request);
  };
  const listening = await listen(server, {
    port: 0,
    limits: { ...defaultLimits, ...limits },
    ...(timeouts && { timeouts }),
  });
  onTestFinished(() => listening.close());
  const open = async ({ allowHalfOpen = false } = {}) => {
    const socket = connect({ port: Number(new URL(listening.url).port), host, allowHalfOpen });
    onTestFinished(() => void socket.destroy());
    await once(
      socket.on("error", () => {}),
      "connect",
    );
    return socket;
  };
  return { counts, open, close: listening.close };
}

const tunnel = "CONNECT example.com:443 HTTP/1.1\r\nHost: api\r\n\r\n";
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: api\r\n\r\n`;
const large = async () => new Response("x".repeat(2 ** 20));

/** Resolves once the condition holds, looked at after each turn of the event loop. */
async function reach(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}

/** Everything that a connection receives until its end. */
async function read(socket: Socket): Promise<string> {
  let text = "";
  for await (const octets of socket) text += octets;
  return text;
}

describe("requests of one connection", () => {
  test("are begun one after the other, none while a reply is not taken", async () => {
    const { counts, open } = await listenTo(large);
    const [silent, other] = [await open(), await open()];
    silent.pause().write(get("/silent").repeat(5000));
    await reach(() => counts.begun > 0);
    // Replies on another connection follow the first one.
    for (let round = 0; round < 20; round++) {
      other.write(get("/other"));
      let octets = 0;
      while (octets < 2 ** 20) octets += (await once(other, "data"))[0].length;
    }
    expect(counts.begun - 20).toBeLessThanOrEqual(5); // those whose replies the system has taken into its buffers
  });

  test("are parsed one after the other, also those of one packet", async () => {
    let end = () => {};
    const { counts, open } = await listenTo(
      () =>
        new Promise((resolve) => {
          end = () => resolve(new Response("late"));
        }),
    );
    let parsed = 0;
    const count = () => parsed++;
    subscribe("http.server.request.start", count);
    onTestFinished(() => void unsubscribe("http.server.request.start", count));
    const socket = await open();
    socket.write(get("/").repeat(1000));
    await reach(() => counts.begun === 1);
    expect(parsed).toBeLessThanOrEqual(2);
    socket.destroy();
    end();
  });

  test("that follow a CONNECT are dropped", async () => {
    const { counts, open } = await listenTo(async () => new Response("here"));
    const socket = await open();
    socket.write(get("/").repeat(2));
    for (let text = ""; (text.match(/here/g)?.length ?? 0) < 2; ) text += (await once(socket, "data"))[0];
    socket.write(`${tunnel}${get("/").repeat(100)}`);
    expect(await read(socket)).toMatch(/^HTTP\/1\.1 501 /);
    expect(counts.begun).toBe(3); // with the refusal
  });

  test("that are sent at once are all answered in their order", async () => {
    const { counts, open } = await listenTo(async (request) => new Response(new URL(request.url).pathname));
    const socket = await open();
    const paths = Array.from({ length: 3000 }, (_, index) => `/${index}.`);
    socket.write(`${paths.map(get).join("")}GET /last. HTTP/1.1\r\nHost: api\r\nConnection: close\r\n\r\n`);
    const text = await read(socket);
    expect(text.match(/^\/\w+\./gm)).toEqual([...paths, "/last."]);
    expect(counts.begun).toBe(3001);
  });

  test("have blank lines between them that are parsed in many turns of the event loop", async () => {
    const { open } = await listenTo(async () => new Response("here"));
    const socket = await open();
    const lines = "\r\n".repeat(2 ** 18);
    socket.write(`${get("/").repeat(2)}${lines}GET / HTTP/1.1\r\nHost: api\r\nConnection: close\r\n\r\n`);
    const reply = read(socket);
    expect(await countLoopTurns(reply)).toBeGreaterThan(1000);
    expect((await reply).match(/here/g)).toHaveLength(3);
  });

  test("are not begun once the client has left", async () => {
    const ends: (() => void)[] = [];
    const { counts, open } = await listenTo(
      () => new Promise((resolve) => ends.push(() => resolve(new Response("late")))),
    );
    const socket = await open();
    socket.write(get("/").repeat(1000));
    await reach(() => counts.begun === 1);
    const other = await open();
    socket.destroy();
    other.write(get("/"));
    await reach(() => counts.begun === 2);
    for (const end of ends) end();
    await once(other, "data");
    expect(counts.begun).toBe(2);
  });

  test("are not begun once the server closes, which ends after the reply under way", async () => {
    let end = () => {};
    const { counts, open, close } = await listenTo(
      () =>
        new Promise((resolve) => {
          end = () => resolve(new Response("last"));
        }),
    );
    const socket = await open();
    socket.write(get("/").repeat(5000));
    await reach(() => counts.begun === 1);
    const closed = close();
    end();
    expect((await read(socket)).match(/last|Connection: .*/g)).toEqual(["Connection: close", "last"]);
    await closed;
    expect(counts.begun).toBe(1);
  });
});

test.each([
  ["small", 10],
  ["large", 2 ** 23],
])("a %s reply arrives whole at a client that ended its side before", async (_, octets) => {
  const { open } = await listenTo(async ({ signal }) => {
    await once(signal, "abort");
    return new Response("x".repeat(octets));
  });
  const socket = await open({ allowHalfOpen: true });
  socket.end(get("/"));
  expect((await read(socket)).split("\r\n\r\n")[1]).toHaveLength(octets);
});

test("a closing server ends a reply that is not taken, also before a CONNECT", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { counts, open, close } = await listenTo(async () => new Response("x".repeat(2 ** 25)));
  const socket = await open();
  socket.pause().write(`${get("/")}${tunnel}`);
  await reach(() => counts.begun === 2); // with the refusal
  await once(socket, "readable");
  const closed = close();
  await vi.advanceTimersByTimeAsync(10_000);
  await closed;
});

const part = "POST / HTTP/1.1\r\nHost: api\r\nContent-Length: 10\r\n\r\n12345";

test.each([
  ["headers", "GET / HTTP/1.1\r\nHost:", []],
  ["a body", part, []],
  ["a chunk", "POST / HTTP/1.1\r\nHost: api\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12", []],
  ["the body of a later request", `${get("/").repeat(2)}${part}`, [200, 200]],
])("a client that ends its side within %s is disconnected", async (_, text, statuses) => {
  const { open } = await listenTo(async (request) => new Response(await request.text().catch(() => "incomplete")));
  const socket = await open({ allowHalfOpen: true });
  socket.write(text);
  let reply = "";
  socket.on("data", (octets) => {
    reply += octets;
  });
  await reach(() => reply.split("HTTP/1.1 200").length > statuses.length);
  socket.end();
  await once(socket, "end");
});

test("a request without a body that waited is complete", async () => {
  const { open } = await listenTo(async (request) => new Response(`<${await request.text()}>`));
  const socket = await open();
  socket.write("POST / HTTP/1.1\r\nHost: api\r\nContent-Length: 0\r\n\r\n".repeat(3));
  for (let text = ""; (text.match(/<>/g)?.length ?? 0) < 3; ) text += (await once(socket, "data"))[0];
});

test.each([
  ["of what is no request", `${get("/")}no request\r\n\r\n`, [200, 400]],
  ["of what is no request after several", `${get("/").repeat(3)}no request\r\n\r\n`, [200, 200, 200, 400]],
  ["of a tunnel", `${get("/").repeat(3)}${tunnel}${get("/").repeat(3)}`, [200, 200, 200, 501]],
  ["of an incomplete request", `${get("/")}GET / HTTP/1.1\r\nHost:`, [200, 408]],
  ["of a request that waits for a slow reply is none", get("/").repeat(2), [200, 200]],
])("a refusal %s follows the replies before it", async (_, text, statuses) => {
  const slow = ({ url }: Request) => {
    const reply = new Response("here");
    if (new URL(url).hostname !== "api") return Promise.resolve(reply); // of a refusal
    return new Promise<Response>((resolve) => setTimeout(resolve, 200, reply));
  };
  const { open } = await listenTo(slow, { timeouts: { headers: 50, request: 50 } });
  const socket = await open();
  let reply = "";
  socket.on("data", (octets) => {
    reply += octets;
  });
  socket.write(text);
  const statusesOf = () => [...reply.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  await reach(() => statusesOf().length === statuses.length);
  expect(statusesOf()).toEqual(statuses);
});

const request = fc.record({
  path: fc.stringMatching(/^\/[a-z]{0,40}$/),
  body: fc.option(fc.stringMatching(/^[a-z\r\n]{0,3000}$/), { nil: undefined }),
  isChunked: fc.boolean(),
});
type GeneratedRequest = typeof request extends fc.Arbitrary<infer T> ? T : never;

function textOf({ path, body, isChunked }: GeneratedRequest): string {
  if (body === undefined) return get(path);
  const head = `POST ${path} HTTP/1.1\r\nHost: api\r\n`;
  if (!isChunked) return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  const chunk = body === "" ? "" : `${body.length.toString(16)}\r\n${body}\r\n`;
  return `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`;
}

test("requests with and without bodies, cut anywhere, are answered in their order", async () => {
  const { open } = await listenTo(
    async (request) => new Response(`<${new URL(request.url).pathname} ${(await request.text()).length}>`),
  );
  const requests = fc.array(request, { minLength: 1, maxLength: 20 });
  const cuts = fc.array(fc.nat({ max: 3000 }), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(requests, cuts, async (requests, cuts) => {
      const socket = await open();
      let text = `${requests.map(textOf).join("")}GET /end HTTP/1.1\r\nHost: api\r\nConnection: close\r\n\r\n`;
      const reply = read(socket);
      for (const cut of cuts) {
        socket.write(text.slice(0, cut));
        text = text.slice(cut);
        await new Promise(setImmediate);
      }
      socket.write(text);
      const expected = requests.map(({ path, body }) => `<${path} ${body?.length ?? 0}>`);
      expect((await reply).match(/<.*>/g)).toEqual([...expected, "</end 0>"]);
    }),
    { numRuns: 50 },
  );
});

describe("bounds of all connections", () => {
  test.each<[string, () => Response]>([
    ["its reply", () => new Response("x".repeat(2 ** 25))],
    ["a reply without a body", () => new Response(null, { headers: { "X-Large": "x".repeat(2 ** 25) } })],
  ])("a client that takes nothing of %s is disconnected, although it goes on sending", async (_, reply) => {
    let request: Request | undefined; // whose signal follows that of the connection for as long as it is kept
    const answer = async (begun: Request) => {
      request = begun;
      return reply();
    };
    const { open } = await listenTo(answer, { timeouts: { reply: 200 } });
    const socket = await open();
    socket.pause().write(get("/").repeat(2));
    const closed = new Promise((resolve) => socket.once("close", resolve)); // by a reset, which is an error before
    const sending = setInterval(() => socket.write("G"), 20);
    await reach(() => request?.signal.aborted === true);
    clearInterval(sending);
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(2 ** 25);
  });

  test("a client that takes a large reply slowly gets all of it", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const [octets, taken] = [2 ** 27, 2 ** 26]; // more than the system keeps for both sides
    const { open } = await listenTo(async () => new Response("x".repeat(octets)));
    const socket = await open();
    socket.write("GET / HTTP/1.1\r\nHost: api\r\nConnection: close\r\n\r\n");
    let received = 0;
    for await (const chunk of socket) {
      const part = Math.floor(received / taken);
      received += chunk.length;
      // The client takes as long for each part as it may take nothing.
      if (Math.floor(received / taken) > part) await vi.advanceTimersByTimeAsync(60_000);
    }
    expect(received).toBeGreaterThan(octets);
  });

  test("over the number of connections, the one that is unused for the longest time is closed", async () => {
    const { open } = await listenTo(async () => new Response("here"), { limits: { connections: 2 } });
    const [first, second] = [await open(), await open()];
    for (const socket of [first, second, first]) {
      socket.write(get("/"));
      await once(socket, "data");
    }
    const closed = once(second.resume(), "close");
    const third = await open();
    third.write(get("/"));
    await Promise.all([once(third, "data"), closed]);
    first.write(get("/"));
    await once(first, "data");
  });

  test("over the number of connections, the oldest is closed that does not send its request, if all are in use", async () => {
    const answer = async (request: Request) => new Response(await request.text().catch(() => "incomplete"));
    const { counts, open } = await listenTo(answer, { limits: { connections: 2 } });
    const [first, second] = [await open(), await open()];
    for (const [index, socket] of [first, second].entries()) {
      socket.write("POST / HTTP/1.1\r\nHost: api\r\nContent-Length: 2\r\n\r\n1");
      await reach(() => counts.begun > index);
    }
    const closed = once(first.resume(), "close");
    const third = await open();
    third.write(get("/"));
    await Promise.all([once(third, "data"), closed]);
    second.write("2");
    expect(String((await once(second, "data"))[0])).toMatch(/12$/);
  });

  test("over the octets of replies that wait, the connection is closed that took nothing for the longest time", async () => {
    const { open } = await listenTo(async () => new Response("x".repeat(2 ** 23)), { limits: { octets: 2 ** 24 } });
    const sockets = [];
    for (let index = 0; index < 2; index++) {
      const socket = await open();
      socket.pause().write(get("/"));
      sockets.push(socket);
    }
    const [first, second] = sockets as [Socket, Socket];
    const third = await open();
    const closed = once(first.resume(), "close");
    third.pause().write(get("/"));
    await closed;
    expect(first.bytesRead).toBeLessThan(2 ** 23);
    second.resume();
    await reach(() => second.bytesRead > 2 ** 23);
  });
});
