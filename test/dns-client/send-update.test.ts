import dns from "node:dns";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { rcode, rcodeName } from "../../src/dns/transfer/codes.ts";
import { addFrame, Frames } from "../../src/dns/transfer/frames.ts";
import { readMessage } from "../../src/dns/transfer/message.ts";
import { type NewMessage, writeMessage } from "../../src/dns/transfer/message-writer.ts";
import { appendError, type Key, sign } from "../../src/dns/transfer/tsig.ts";
import type { Update } from "../../src/dns/transfer/update.ts";
import { sendUpdate, type UpdateOptions } from "../../src/dns-client/send-update.ts";
import type { ServerAddress } from "../../src/dns-client/server-address.ts";
import { freePort } from "../dns/transfer/nameservers.ts";
import { domainName } from "../names.ts";

const now = 1_700_000_000;
const key: Key = { name: domainName("key."), algorithm: "hmac-sha256", secret: Buffer.from("shared") };
const update: Update = {
  zone: domainName("example."),
  prerequisites: [],
  steps: [{ kind: "delete name", owner: domainName("www.example.") }],
};

/** A name server on TCP that takes one update, whose conversation is `answer`. */
async function updateServer(answer: (request: Buffer, socket: Socket) => void, host = "127.0.0.1", port = 0) {
  const updates: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}); // the client may hang up at any moment
    const frames = new Frames();
    socket.on("data", (chunk) => {
      for (const request of frames.take(chunk)) {
        updates.push(request);
        answer(request, socket);
      }
    });
  });
  await once(server.listen(port, host), "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { host, port: (server.address() as AddressInfo).port, updates };
}

const reply = (request: Buffer, changes: NewMessage = {}, signer = key): Buffer => {
  const { id, tsig } = readMessage(request);
  const octets = writeMessage({ id, opcode: 5, qr: true, ...changes });
  return tsig ? sign(octets, signer, { time: now, prior: { mac: tsig.mac } }).message : octets;
};
const otherKey: Key = { ...key, secret: Buffer.from("other") };
const otherId = (request: Buffer) => reply(request, { id: readMessage(request).id ^ 1 });
const send = (socket: Socket, ...messages: Buffer[]) => socket.write(Buffer.concat(messages.map(addFrame)));
const badKey = (request: Buffer) => {
  const { id, tsig } = readMessage(request);
  const refusal = writeMessage({ id, opcode: 5, qr: true, rcode: rcode.NOTAUTH });
  return appendError(refusal, tsig ?? expect.fail(), rcode.BADKEY);
};

/** The outcome in short. */
async function outcome(server: ServerAddress, options: UpdateOptions = {}): Promise<string> {
  const found = await sendUpdate(server, update, { key, now: () => now, ...options });
  if (found.kind === "answered") return `answered: ${rcodeName(found.reply.rcode)}`;
  const claim = found.kind === "lost" && found.claim ? ` (${rcodeName(found.claim.rcode)})` : "";
  return `${found.kind}: ${found.reason.problem.id}: ${found.reason.message}${claim}`;
}

const closed = "lost: transfer/lost: the connection ended before a reply to the update";

test.each<[string, (request: Buffer, socket: Socket) => void, string]>([
  ["NOERROR", (request, socket) => send(socket, reply(request)), "answered: NOERROR"],
  ["an error", (request, socket) => send(socket, reply(request, { rcode: rcode.NXRRSET })), "answered: NXRRSET"],
  [
    "an answer in single octets",
    (request, socket) => {
      socket.setNoDelay();
      for (const octet of addFrame(reply(request))) socket.write(Buffer.of(octet));
    },
    "answered: NOERROR",
  ],
  [
    "the answer twice, the second another one",
    (request, socket) => send(socket, reply(request), reply(request, { rcode: rcode.SERVFAIL })),
    "answered: NOERROR",
  ],
  ["another id first", (request, socket) => send(socket, otherId(request), reply(request)), "answered: NOERROR"],
  [
    "a forged answer first",
    (request, socket) => send(socket, reply(request, {}, otherKey), reply(request)),
    "answered: NOERROR",
  ],
  [
    "only another id",
    (request, socket) => socket.end(addFrame(otherId(request))),
    "lost: transfer/answer: the response has another message id",
  ],
  [
    "only a forged answer",
    (request, socket) => socket.end(addFrame(reply(request, {}, otherKey))),
    "lost: transfer/tsig: the TSIG of the response is invalid (BADSIG)",
  ],
  [
    "a key that the server does not know",
    (request, socket) => send(socket, badKey(request)),
    "lost: transfer/tsig: the server rejected the TSIG (BADKEY) (NOTAUTH)",
  ],
  [
    "an error without a signature",
    (request, socket) =>
      send(socket, writeMessage({ id: readMessage(request).id, opcode: 5, qr: true, rcode: rcode.REFUSED })),
    "lost: transfer/tsig: the server replied REFUSED, not signed with the TSIG key (REFUSED)",
  ],
  ["no answer, and a closed connection", (_, socket) => socket.end(), closed],
  ["a broken connection", (_, socket) => socket.resetAndDestroy(), closed],
  ["half an answer", (request, socket) => socket.end(addFrame(reply(request)).subarray(0, 20)), closed],
  ["another protocol", (_, socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"), closed],
])("%s", async (_, answer, expected) => {
  const server = await updateServer(answer);
  expect(await outcome(server)).toBe(expected);
  expect(server.updates).toHaveLength(1);
});

test("no answer in time", async () => {
  const server = await updateServer(() => {});
  const slow = "lost: transfer/lost: the server has not answered within 0.02 seconds";
  expect(await outcome(server, { bounds: { idleMs: 20 } })).toBe(slow);
});

test("an answer that comes too late", async () => {
  const server = await updateServer((request, socket) => {
    setTimeout(send, 100, socket, reply(request));
    send(socket, otherId(request)); // keeps no server alive
  });
  const late = "lost: transfer/answer: the response has another message id";
  expect(await outcome(server, { bounds: { idleMs: 20 } })).toBe(late);
});

test("without a key, any answer to it counts", async () => {
  const server = await updateServer((request, socket) => send(socket, reply(request, { rcode: rcode.REFUSED })));
  expect(await outcome(server, { key: undefined })).toBe("answered: REFUSED");
});

test("aborts before and after it was sent", async () => {
  const abort = new AbortController();
  const server = await updateServer(() => abort.abort());
  expect(await outcome(server, { signal: abort.signal })).toBe("lost: transfer/lost: the query was aborted");
  expect(await outcome(server, { signal: abort.signal })).toBe("unsent: transfer/aborted: the query was aborted");
  expect(server.updates).toHaveLength(1);
});

test("a refused connection, and a host without an address", async () => {
  const refusing = { host: "127.0.0.1", port: await freePort() };
  expect(await outcome(refusing)).toBe("unsent: transfer/connect: cannot connect to the server (ECONNREFUSED)");
  const unknown = { host: "ns.zonewright.invalid", port: 53 };
  expect(await outcome(unknown)).toMatch(/^unsent: transfer\/connect: cannot connect to the server \(E\w+\)$/);
});

test("an IPv6 address", async () => {
  const server = await updateServer((request, socket) => send(socket, reply(request)), "::1");
  expect(await outcome(server)).toBe("answered: NOERROR");
});

/** Gives every host name these addresses, as long as the test lives. */
function resolveTo(...hosts: string[]) {
  const addresses = hosts.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  const answer = (...words: unknown[]) => (words.at(-1) as (error: null, addresses: unknown) => void)(null, addresses);
  const lookup = vi.spyOn(dns, "lookup").mockImplementation(answer as never);
  onTestFinished(() => lookup.mockRestore());
  return lookup;
}

test.each([
  ["refuses connections", "127.0.0.2"],
  ["is no address of a host (RFC 6666)", "100::1"],
])("of two addresses, the first of which %s, the second", async (_, dead) => {
  const server = await updateServer((request, socket) => send(socket, reply(request)));
  const lookup = resolveTo(dead, server.host);
  expect(await outcome({ host: "ns.example.net", port: server.port })).toBe("answered: NOERROR");
  expect(lookup).toHaveBeenCalledTimes(1);
  expect(server.updates).toHaveLength(1);
});

test("of two addresses, the first of which takes the update and hangs up, no other", async () => {
  const first = await updateServer((_, socket) => socket.resetAndDestroy());
  const second = await updateServer((request, socket) => send(socket, reply(request)), "::1", first.port);
  resolveTo(first.host, second.host);
  expect(await outcome({ host: "ns.example.net", port: first.port })).toBe(closed);
  expect([first.updates.length, second.updates.length]).toEqual([1, 0]);
});
