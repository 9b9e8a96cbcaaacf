import { createServer as createHttpServer } from "node:http";
import { createServer, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { Monitor } from "../../../src/server/areas/managed/monitor.ts";
import { createProbe } from "../../../src/server/areas/managed/probe.ts";
import { createReach, type LookUp } from "../../../src/server/areas/managed/reach.ts";
import { allowProbes } from "../../../src/server/kit/allowed-networks.ts";
import { beginMonitor, endless } from "./probes.ts";
import {
  allowed,
  forbidden,
  isAllowed,
  listenOn,
  probe,
  sendWithoutEnd,
  serveOctets,
  serveWeb,
  setTrap,
  table,
} from "./targets.ts";

const notPublic = "is not public or in a network that the operator allows";
/** Of a name that does not exist, too: whoever asks must not learn which names the server's network has. */
const noPublic = "no address that is public or in a network that the operator allows";

test.each([
  [200, undefined],
  [204, undefined],
  [304, undefined],
  [399, undefined],
  [400, "the server answers with status 400"],
  [404, "the server answers with status 404"],
  [503, "the server answers with status 503"],
])("status %i", async (status, reason) => {
  const port = await serveWeb((_, response) => response.writeHead(status).end());
  expect(await probe(`http://shop.example:${port}/`)).toBe(reason);
});

test("a request is sent to the path with the name of the host, by GET", async () => {
  const asked: unknown[] = [];
  const port = await serveWeb(({ method, url, headers }, response) => {
    asked.push([method, url, headers.host, headers["user-agent"], headers.authorization]);
    response.end();
  });
  expect(await probe(`http://SHOP.example:${port}/a%20b?c=d`)).toBe(undefined);
  expect(asked).toEqual([["GET", "/a%20b?c=d", `shop.example:${port}`, "zonewright-monitor", undefined]]);
});

test.each([
  ["welcome", undefined],
  ["willkommen", "the first MiB of the response does not contain the expected text"],
  ["grüße", undefined],
])("the text %s in the body", async (body, reason) => {
  const port = await serveWeb((_, response) => {
    response.write("you are wel");
    setImmediate(() => response.end("come, viele grüße"));
  });
  expect(await probe(`http://shop.example:${port}/`, { body })).toBe(reason);
});

const MiB = 1024 * 1024;

test.each([
  ["ends in the first MiB", MiB - "welcome".length, undefined],
  ["begins in it", MiB - 3, "the first MiB of the response does not contain the expected text"],
])("a text that %s", async (_, before, reason) => {
  const port = await serveWeb((_, response) => response.end(`${"x".repeat(before)}welcome`));
  expect(await probe(`http://shop.example:${port}/`, { body: "welcome" })).toBe(reason);
});

test("a server that closes the connection, and none", async () => {
  const port = await serveOctets((socket) => socket.destroy());
  expect(await probe(`http://shop.example:${port}/`)).toBe("it closed the connection");
  expect(await probe("http://shop.example:1/")).toBe("it refuses the connection");
  expect(await probe("http://none.example/")).toBe(`none.example has ${noPublic}`);
});

test.each([
  [5, undefined],
  [6, "it redirects more than 5 times"],
])("%i redirects", async (count, reason) => {
  let requests = 0;
  const port = await serveWeb(({ url }, response) => {
    requests++;
    const left = Number(url?.slice(1));
    response.writeHead(left === 0 ? 200 : 302, left === 0 ? {} : { location: `/${left - 1}` }).end();
  });
  expect(await probe(`http://shop.example:${port}/${count}`)).toBe(reason);
  expect(requests).toBe(6);
});

test("a redirect loop", async () => {
  let requests = 0;
  const port = await serveWeb((_, response) => {
    requests++;
    response.writeHead(301, { location: "/" }).end("x".repeat(100_000));
  });
  expect(await probe(`http://shop.example:${port}/`)).toBe("it redirects more than 5 times");
  expect(requests).toBe(6);
});

test.each([
  ["http://127.0.0.2:PORT/", `its address 127.0.0.2 ${notPublic}`],
  ["//127.0.0.2:PORT/", `its address 127.0.0.2 ${notPublic}`],
  ["http://2130706434:PORT/", `its address 127.0.0.2 ${notPublic}`],
  ["http://0177.0.0.2:PORT/", `its address 127.0.0.2 ${notPublic}`],
  ["http://0x7f.2:PORT/", `its address 127.0.0.2 ${notPublic}`],
  ["http://127.2:PORT/", `its address 127.0.0.2 ${notPublic}`],
  ["http://%31%32%37.0.0.2:PORT/", `its address 127.0.0.2 ${notPublic}`],
  ["http://%EF%BC%91%EF%BC%92%EF%BC%97.0.0.2:PORT/", `its address 127.0.0.2 ${notPublic}`],
  ["\\\\127.0.0.2:PORT\\", `its address 127.0.0.2 ${notPublic}`],
  ["http://0:PORT/", `its address 0.0.0.0 ${notPublic}`],
  ["http://[::127.0.0.2]:PORT/", `its address ::7f00:2 ${notPublic}`],
  ["http://[::ffff:127.0.0.2]:PORT/", `its address ::ffff:7f00:2 ${notPublic}`],
  ["http://[::1]:PORT/", `its address ::1 ${notPublic}`],
  ["http://user:pass@127.0.0.2:PORT/", `its address 127.0.0.2 ${notPublic}`],
  ["http://169.254.169.254/latest/meta-data/", `its address 169.254.169.254 ${notPublic}`],
  ["http://[fd00:ec2::254]/", `its address fd00:ec2::254 ${notPublic}`],
  ["http://10.0.0.1/", `its address 10.0.0.1 ${notPublic}`],
  ["http://[64:ff9b::7f00:2]/", `its address 64:ff9b::7f00:2 ${notPublic}`],
  ["http://inside.example:PORT/", `inside.example has ${noPublic}`],
  ["http://inside.example.:PORT/", `inside.example has ${noPublic}`],
  ["file:///etc/passwd", 'it redirects to "file:///etc/passwd", which is not an http or https URL'],
  ["ftp://127.0.0.2:PORT/", 'it redirects to "ftp://127.0.0.2:PORT/", which is not an http or https URL'],
  ["data:text/plain,up", 'it redirects to "data:text/plain,up", which is not an http or https URL'],
  ["unix:/run/docker.sock", 'it redirects to "unix:/run/docker.sock", which is not an http or https URL'],
  ["gopher://127.0.0.2:PORT/", 'it redirects to "gopher://127.0.0.2:PORT/", which is not an http or https URL'],
  ["http://[::1", 'it redirects to "http://[::1", which is not a URL'],
  ["http://shop.example:99999/", 'it redirects to "http://shop.example:99999/", which is not a URL'],
  [`http://${"a".repeat(300)}/`, "its host name is longer than 253 characters"],
  [`ftp://${"a".repeat(300)}/`, `it redirects to "ftp://${"a".repeat(194)}", which is not an http or https URL`],
])("a redirect to %s is not followed", async (location, reason) => {
  const trap = await setTrap();
  const target = (text: string) => text.replace("PORT", String(trap.port));
  const head = `HTTP/1.1 302 Found\r\nLocation: ${target(location)}\r\n\r\n`;
  const port = await serveOctets((socket) => socket.once("data", () => socket.end(head)));
  expect(await probe(`http://shop.example:${port}/`)).toBe(target(reason));
  expect(trap.count()).toBe(0);
});

test("the reason shows no escape sequence of a redirect", async () => {
  const port = await serveOctets((socket) =>
    socket.end("HTTP/1.1 302 Found\r\nLocation: x:\u009b31m\r\nContent-Length: 0\r\n\r\n", "latin1"),
  );
  expect(await probe(`http://shop.example:${port}/`)).not.toMatch(/[\u0080-\u009f]/);
});

test.each([
  ["http://127.0.0.2:PORT/", "url"],
  ["http://2130706434:PORT/", "url"],
  ["http://inside.example:PORT/", "url"],
  ["127.0.0.2:PORT", "tcp"],
  ["2130706434:PORT", "tcp"],
  ["017700000002:PORT", "tcp"],
  ["[::ffff:127.0.0.2]:PORT", "tcp"],
  ["inside.example:PORT", "tcp"],
] as const)("the address %s is not connected to", async (address, type) => {
  const trap = await setTrap();
  expect(await probe(address.replace("PORT", String(trap.port)), { type })).toMatch(
    / public or in a network that the operator allows$/,
  );
  expect(trap.count()).toBe(0);
});

test("DNS rebinding: the connection goes to the address that was checked, and each redirect is looked up and checked again", async () => {
  const trap = await setTrap();
  const requests: string[] = [];
  const server = createHttpServer(({ url = "" }, response) => {
    requests.push(url);
    response.writeHead(url === "/" ? 302 : 200, { location: "/again" }).end();
  });
  await listenOn(server, allowed, trap.port); // the same port, at the allowed address
  const url = `http://rebind.example:${trap.port}/`;
  const rebinding = table({ "rebind.example": [[allowed], [forbidden], [forbidden]] });
  expect(await probe(url, { lookUp: rebinding })).toBe(`rebind.example has ${noPublic}`);
  expect(rebinding.asked).toEqual(["rebind.example", "rebind.example"]);
  expect(requests).toEqual(["/"]);
  const tcp = table({ "rebind.example": [[allowed], [forbidden]] });
  expect(await probe(`rebind.example:${trap.port}`, { type: "tcp", lookUp: tcp })).toBe(undefined);
  expect(tcp.asked).toEqual(["rebind.example"]);
  const mixed = table({ "rebind.example": [[forbidden, allowed]] });
  expect(await probe(`${url}again`, { lookUp: mixed })).toBe(undefined);
  expect(trap.count()).toBe(0);
});

test("proxies of the environment are not used", async () => {
  const trap = await setTrap();
  const port = await serveWeb((_, response) => response.end());
  const before = { ...process.env };
  onTestFinished(() => {
    process.env = before;
  });
  for (const name of ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"])
    process.env[name] = `http://${forbidden}:${trap.port}`;
  process.env.NODE_USE_ENV_PROXY = "1";
  expect(await probe(`http://shop.example:${port}/`)).toBe(undefined);
  expect(trap.count()).toBe(0);
});

test("tcp: up once connected; the connection is closed", async () => {
  let ended = 0;
  const port = await serveOctets((socket) => socket.resume().on("close", () => void ended++));
  expect(await probe(`shop.example:${port}`, { type: "tcp" })).toBe(undefined);
  await expect.poll(() => ended).toBe(1);
  expect(await probe("shop.example:1", { type: "tcp" })).toBe("it refuses the connection");
  expect(await probe("none.example:25", { type: "tcp" })).toBe(`none.example has ${noPublic}`);
});

test("a second address is tried where the first refuses", async () => {
  const port = await serveWeb((_, response) => response.end());
  const both = table({ "shop.example": [["127.0.0.3", allowed]] });
  const reach = createReach((address) => address.startsWith("127."), both);
  const service = { service_type: "url" as const, address: `http://shop.example:${port}/`, body: null, timeout: 5 };
  expect(await createProbe(reach)(service, new AbortController().signal)).toBe(undefined);
});

test("a lookup ends at the timeout", async () => {
  const end = new AbortController();
  const lookUp: LookUp = (_, signal) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      setImmediate(() => end.abort());
    });
  expect(await probe("http://shop.example/", { lookUp, signal: end.signal })).toBe(
    "it did not answer completely within 5 seconds",
  );
});

test.each([
  ["93.184.216.34", true],
  ["2606:2800:220:1:248:1893:25c8:1946", true],
  ["10.1.2.3", true], // in the network that is allowed below
  ["::ffff:10.1.2.3", true],
  ["10.2.0.1", false],
  ["0.0.0.0", false],
  ["127.0.0.1", false],
  ["169.254.169.254", false],
  ["172.16.0.1", false],
  ["192.168.1.1", false],
  ["100.64.0.1", false],
  ["192.0.2.1", false],
  ["198.18.0.2", false],
  ["224.0.0.1", false],
  ["255.255.255.255", false],
  ["::", false],
  ["::1", false],
  ["::ffff:127.0.0.1", false],
  ["::127.0.0.1", false],
  ["64:ff9b::a02:1", false],
  ["2002:7f00:1::", false],
  ["2001::1", false],
  ["2001:db8::1", false],
  ["fe80::1", false],
  ["fd00::1", false],
  ["fec0::1", false],
  ["ff02::1", false],
])("probes to %s are allowed: %s", (address, expected) => {
  expect(allowProbes([{ address: "10.1.0.0", prefix: 16 }])(address)).toBe(expected);
});

test("the addresses of this machine are not probed", () => {
  const own = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
  expect(own.length).toBeGreaterThan(0);
  expect(own.filter(allowProbes())).toEqual([]);
});

const slow = (_: Socket, timeUp: () => void) => timeUp();
const loop = (socket: Socket) => socket.end("HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n");
const unending = (socket: Socket) => sendWithoutEnd(socket, "\r\n".repeat(1000));

test.each<[kind: string, host: string, answer: (socket: Socket, timeUp: () => void) => void, reason: string]>([
  ["slow", "shop.example", slow, "it did not answer completely within 10 seconds"],
  ["endless", "shop.example", unending, "it sends more than 4 MiB"],
  ["looping", "shop.example", loop, "it redirects more than 5 times"],
  ["rebinding", "rebind.example", loop, `rebind.example has ${noPublic}`],
  ["private", "inside.example", loop, `inside.example has ${noPublic}`],
])("the ticket of a target that is %s says why", async (_, host, answer, reason) => {
  const trap = await setTrap();
  let timeUp = () => {};
  await listenOn(
    createServer((socket) => socket.once("data", () => answer(socket, timeUp))),
    allowed,
    trap.port,
  );
  const api = await beginMonitor();
  const addresses = { "shop.example": [[allowed]], "inside.example": [[forbidden]] };
  const monitor = new Monitor({
    store: api.store,
    clock: () => api.clock.now,
    probe: (service, signal) => {
      const lookUp = table({ ...addresses, "rebind.example": [[allowed], [forbidden]] });
      return createProbe(createReach(isAllowed, lookUp))(service, signal);
    },
    sleep: (ms, signal) => {
      expect(ms).toBe(10_000);
      return Promise.race([endless(ms, signal), new Promise<void>((resolve) => (timeUp = resolve))]);
    },
    onError: (error) => expect.fail(String(error)),
  });
  await api.add({ address: `http://${host}:${trap.port}/` });
  await monitor.runDue();
  api.pass(10);
  await monitor.runDue();
  expect(await api.statusOf()).toBe("problem");
  expect((await api.get("/support/tickets/1")).description).toContain(`2026-03-04T12:00:10 UTC: ${reason}.`);
  expect(trap.count()).toBe(0);
});
