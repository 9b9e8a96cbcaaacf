import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { isMissing } from "../../judges.ts";
import { allowed, listenOn, probe, sendWithoutEnd, serveOctets } from "./targets.ts";

const notFound = "the first MiB of the response does not contain the expected text";
const invalid = "its response is not valid HTTP";
const closed = "it closed the connection";
const longHead = "the head of its response is longer than 16 KiB";
const tooMuch = "it sends more than 4 MiB";
const ok = "HTTP/1.1 200 OK\r\n";
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`;

/** Probes a server that answers a request so, and expects the text "welcome" if `body` is not null. */
async function probeServer(answer: (socket: Socket) => void, body: string | null = "welcome") {
  const port = await serveOctets((socket) => socket.once("data", () => answer(socket)));
  return probe(`http://shop.example:${port}/`, { body });
}

test.each<[response: string, octets: string, reason: string | undefined]>([
  ["HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nwelcome", undefined],
  ["HTTP/1.0 without the text", "HTTP/1.0 200 OK\r\n\r\nbye", notFound],
  ["a body without a head (HTTP/0.9)", "welcome", invalid],
  ["another protocol", "220 mail.example.com ESMTP\r\n", invalid],
  ["HTTP/2 in the status line", "HTTP/2 200 OK\r\n\r\nwelcome", invalid],
  ["no status", "HTTP/1.1 OK\r\n\r\nwelcome", invalid],
  ["a negative status", "HTTP/1.1 -200 OK\r\n\r\nwelcome", invalid],
  ["a status of two digits", "HTTP/1.1 20 OK\r\n\r\nwelcome", invalid],
  ["a status of four digits", "HTTP/1.1 2000 OK\r\n\r\nwelcome", invalid],
  ["the status 000", "HTTP/1.1 000 OK\r\n\r\nwelcome", "the server answers with status 0"],
  ["the status 999", "HTTP/1.1 999 OK\r\n\r\nwelcome", "the server answers with status 999"],
  ["no reason phrase", "HTTP/1.1 200\r\n\r\nwelcome", undefined],
  ["line ends without a carriage return", "HTTP/1.1 200 OK\n\nwelcome", invalid],
  ["a header without a colon", `${ok}welcome\r\n\r\nwelcome`, invalid],
  ["a NUL in a header", `${ok}A: b\0c\r\n\r\nwelcome`, invalid],
  ["interim responses before it", `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\n\r\n${ok}\r\nwelcome`, undefined],
  [
    "another protocol after it",
    "HTTP/1.1 101 Up\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nwelcome",
    "the server answers with status 101",
  ],
  ["two lengths", `${ok}Content-Length: 3\r\nContent-Length: 7\r\n\r\nwelcome`, invalid],
  [
    "a length and chunks",
    `${ok}Content-Length: 7\r\nTransfer-Encoding: chunked\r\n\r\n7\r\nwelcome\r\n0\r\n\r\n`,
    invalid,
  ],
  ["a shorter length than its body", `${ok}Content-Length: 3\r\n\r\nwelcome`, notFound],
  ["a longer length than its body", `${ok}Content-Length: 100\r\n\r\nwel`, closed],
  ["a longer length, but the text", `${ok}Content-Length: 100\r\n\r\nwelcome`, undefined],
  ["a chunk without a length", `${chunked}x\r\nwelcome\r\n0\r\n\r\n`, invalid],
  ["a chunk longer than 64 bits", `${chunked}FFFFFFFFFFFFFFFFF\r\nwelcome\r\n0\r\n\r\n`, invalid],
  [
    "a chunk for each octet",
    `${chunked}${[..."you are welcome"].map((octet) => `1\r\n${octet}\r\n`).join("")}0\r\n\r\n`,
    undefined,
  ],
  ["no last chunk", `${chunked}3\r\nwel\r\n`, closed],
  ["a header of 17 KiB", `${ok}A: ${"a".repeat(17 * 1024)}\r\n\r\nwelcome`, longHead],
  ["a redirect of 17 KiB", `HTTP/1.1 302 Found\r\nLocation: /${"a".repeat(17 * 1024)}\r\n\r\n`, longHead],
  [
    "two redirects",
    "HTTP/1.1 302 Found\r\nLocation: ftp://a/\r\nLocation: ftp://b/\r\n\r\n",
    'it redirects to "ftp://a/", which is not an http or https URL',
  ],
  ["a redirect without a target", "HTTP/1.1 302 Found\r\nContent-Length: 7\r\n\r\nwelcome", undefined],
  ["a choice of targets", "HTTP/1.1 300 Choose\r\nLocation: ftp://a/\r\n\r\nwelcome", undefined],
  ["nothing", "", closed],
])("a response with %s", async (_, octets, reason) => {
  expect(await probeServer((socket) => socket.end(octets, "latin1"))).toBe(reason);
});

test.each<[place: string, octets: string]>([
  ["before the response", ""],
  ["in the head", "HTTP/1.1 200 O"],
  ["in the body", `${ok}Content-Length: 100\r\n\r\nwel`],
  ["in a chunk", `${chunked}64\r\nwel`],
])("a connection that is reset %s", async (_, octets) => {
  expect(
    await probeServer((socket) => {
      socket.write(octets || " ", () => setImmediate(() => socket.resetAndDestroy()));
    }),
  ).toBe(octets === "" ? invalid : closed);
});

test.each<[text: string, sent: Buffer[], reason: string | undefined]>([
  ["welcome", [Buffer.from("you are wel"), Buffer.from("come")], undefined],
  ["welcome", [..."welcome"].map((octet) => Buffer.from(octet)), undefined],
  ["aab", [Buffer.from("a"), Buffer.from("a"), Buffer.from("a"), Buffer.from("b")], undefined],
  [
    "grüße",
    [Buffer.from("gr\xc3", "latin1"), Buffer.from("\xbc\xc3", "latin1"), Buffer.from("\x9fe", "latin1")],
    undefined,
  ],
  ["grüße", [Buffer.from("grüße", "latin1")], notFound], // in Latin-1
  ["grüße", [Buffer.from("grüße", "utf16le")], notFound],
  ["welcome", [Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28]), Buffer.from("welcome")], undefined],
])("the text %j in a body that arrives in parts", async (text, sent, reason) => {
  const answer = async (socket: Socket) => {
    socket.setNoDelay(true).write(`${ok}\r\n`);
    for (const part of sent) await new Promise((resolve) => socket.write(part, () => setImmediate(resolve)));
    socket.end();
  };
  expect(await probeServer(answer, text)).toBe(reason);
});

const MiB = 1024 * 1024;

test.each<[response: string, before: string, again: string | Buffer, reason: string | undefined, body?: null]>([
  ["a body", `${ok}\r\n`, Buffer.alloc(64 * 1024), notFound],
  ["a body that is not searched", `${ok}\r\n`, Buffer.alloc(64 * 1024), undefined, null],
  ["small chunks", chunked, "1\r\nx\r\n".repeat(1000), tooMuch],
  ["a chunk extension", `${chunked}7;`, "a".repeat(1000), invalid],
  ["trailers", `${chunked}0\r\n`, `A: ${"a".repeat(1000)}\r\n`, longHead],
  ["headers", ok, `A: ${"a".repeat(1000)}\r\n`, longHead],
  ["the name of a header", ok, "a".repeat(1000), longHead],
  ["the reason phrase", "HTTP/1.1 200 ", "a".repeat(1000), longHead],
  ["line ends before the status", "", "\r\n".repeat(1000), tooMuch],
  ["interim responses", "", "HTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\n".repeat(100), tooMuch],
  ["something else", "", "a".repeat(1000), invalid],
  ["a compressed body", `${ok}Content-Encoding: gzip\r\n\r\n`, gzipSync("welcome".repeat(100_000)), notFound],
])("a target that sends without end: %s", async (_, before, again, reason, body = undefined) => {
  let isClosed = false;
  let sent = 0;
  const outcome = await probeServer(
    (socket) => {
      socket.on("close", () => {
        isClosed = true;
        sent = socket.bytesWritten;
      });
      socket.write(before);
      sendWithoutEnd(socket, again);
    },
    body === null ? null : "welcome",
  );
  expect(outcome).toBe(reason);
  await expect.poll(() => isClosed).toBe(true);
  expect(sent).toBeLessThan(64 * MiB); // buffers of the system included
});

test("a compressed body is neither asked for nor unpacked", async () => {
  let request = "";
  const port = await serveOctets((socket) =>
    socket.once("data", (octets) => {
      request = octets.toString();
      socket.end(Buffer.concat([Buffer.from(`${ok}Content-Encoding: gzip\r\n\r\n`), gzipSync("welcome".repeat(1000))]));
    }),
  );
  expect(await probe(`http://shop.example:${port}/`, { body: "welcome" })).toBe(notFound);
  expect(request).toContain("accept-encoding: identity\r\n");
});

/** Aborts once the server has begun to answer, as the timeout does. */
function abortOnce(): { readonly signal: AbortSignal; readonly begun: () => void } {
  const end = new AbortController();
  return { signal: end.signal, begun: () => setImmediate(() => end.abort()) };
}

test.each<[target: string, answer: (socket: Socket, begun: () => void) => void]>([
  ["accepts and says nothing", (_, begun) => begun()],
  [
    "sends one header after another, slowly",
    (socket, begun) => socket.write("HTTP/1.1 200 OK\r\nA: b\r\n", () => begun()),
  ],
  [
    "sends a body slowly",
    (socket, begun) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nwel", () => begun()),
  ],
  [
    "sends one interim response after another",
    (socket, begun) => socket.write("HTTP/1.1 102 Processing\r\n\r\n".repeat(100), () => begun()),
  ],
])("a target that %s ends at the timeout", async (_, answer) => {
  const { signal, begun } = abortOnce();
  let isClosed = false;
  const port = await serveOctets((socket) => {
    socket.resume().on("close", () => {
      isClosed = true;
    });
    answer(socket, begun);
  });
  expect(await probe(`http://shop.example:${port}/`, { body: "welcome", signal })).toBe(
    "it did not answer completely within 5 seconds",
  );
  await expect.poll(() => isClosed).toBe(true);
});

test.skipIf(isMissing("openssl"))("a certificate must be trusted, valid, and for the name of the host", async () => {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const run = (...words: string[]) => execFileSync("openssl", words, { cwd: folder, stdio: "pipe" });
  const newKey = ["-newkey", "ed25519", "-nodes", "-keyout"];
  run("req", "-x509", ...newKey, "ca.key", "-subj", "/CN=Test", "-days", "2", "-out", "ca.pem");
  /** A server with a certificate of the authority, for these names and days. */
  const serveWith = async (name: string, subjects: string, days = "2") => {
    writeFileSync(join(folder, "names"), `subjectAltName=${subjects}\n`);
    run("req", ...newKey, `${name}.key`, "-subj", "/CN=test", "-out", `${name}.csr`);
    const request = ["-req", "-in", `${name}.csr`, "-extfile", "names", "-days", days];
    run("x509", ...request, "-CA", "ca.pem", "-CAkey", "ca.key", "-out", `${name}.pem`);
    const key = readFileSync(join(folder, `${name}.key`));
    const cert = readFileSync(join(folder, `${name}.pem`));
    return listenOn(
      createTlsServer({ key, cert }, (_, response) => response.end()),
      allowed,
    );
  };
  const right = await serveWith("right", "DNS:shop.example,IP:127.0.0.1");
  const other = await serveWith("other", "DNS:other.example,IP:127.0.0.9");
  const old = await serveWith("old", "DNS:shop.example", "-1");
  const plain = await serveOctets((socket) => socket.on("data", () => socket.end(`${ok}\r\n`)));
  const program = fileURLToPath(new URL("prober.ts", import.meta.url));
  /** The outcomes of probes in a process that trusts this authority, or none of ours. */
  const probeAll = async (urls: string[], authority?: string): Promise<unknown> => {
    const env = { PATH: process.env.PATH, ...(authority && { NODE_EXTRA_CA_CERTS: join(folder, authority) }) };
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", program, ...urls], { env });
    return JSON.parse(stdout);
  };
  expect(await probeAll([`https://shop.example:${right}/`])).toEqual([
    "its TLS certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)",
  ]);
  const otherName = "its TLS certificate is for another host name";
  const outcomes = {
    [`https://shop.example:${right}/`]: "up",
    [`https://SHOP.example.:${right}/`]: "up",
    [`https://127.0.0.1:${right}/`]: "up",
    [`https://shop.example:${other}/`]: otherName,
    [`https://127.0.0.1:${other}/`]: otherName,
    [`https://shop.example:${old}/`]: "its TLS certificate has expired",
    [`https://shop.example:${plain}/`]: "the TLS handshake failed (EPROTO)",
    [`http://shop.example:${right}/`]: closed,
  };
  expect(await probeAll(Object.keys(outcomes), "ca.pem")).toEqual(Object.values(outcomes));
});
