import { createSocket } from "node:dgram";
import { once } from "node:events";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { rcode } from "../../src/dns/transfer/codes.ts";
import { addFrame, Frames } from "../../src/dns/transfer/frames.ts";
import { type Message, readMessage } from "../../src/dns/transfer/message.ts";
import { type NewMessage, writeMessage } from "../../src/dns/transfer/message-writer.ts";
import { TransferError } from "../../src/dns/transfer/transfer-error.ts";
import { ask, askSoa, notify } from "../../src/dns-client/ask.ts";
import type { ServerAddress } from "../../src/dns-client/server-address.ts";
import { receiveZone, type TransferOptions } from "../../src/dns-client/transfer-zone.ts";
import { overUdp } from "../../src/dns-client/udp.ts";
import { fakeServer, proxy, tcpServer } from "../dns/transfer/fake-server.ts";
import { freePort } from "../dns/transfer/nameservers.ts";
import { linesOf, readZone } from "../dns/transfer/zones.ts";
import { domainName } from "../names.ts";

const [soa] = readZone("@ 300 IN SOA ns.example.net. hostmaster 7 14400 3600 1209600 300\n").records;
if (soa === undefined) throw new Error("no SOA");
const inMessage = { owner: soa.owner, type: soa.type, class: 1, ttl: 300, data: soa.data };

async function outcome(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
    return "done";
  } catch (error) {
    if (error instanceof TransferError) return `${error.problem.id}: ${error.message}`;
    throw error;
  }
}

test("reassembles frames from any fragments", () => {
  const messages = fc.array(fc.uint8Array({ maxLength: 600 }), { maxLength: 6 });
  const pieces = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(messages, pieces, (messages, pieces) => {
      const stream = Buffer.concat(messages.map(addFrame));
      const frames = new Frames();
      const found: Buffer[] = [];
      for (let at = 0, piece = 0; at < stream.length; piece++) {
        const length = pieces[piece % pieces.length] ?? 1;
        found.push(...[...frames.take(stream.subarray(at, at + length))].map((frame) => Buffer.from(frame)));
        at += length;
      }
      expect(found).toEqual(messages.map((message) => Buffer.from(message)));
    }),
  );
});

describe("a transfer over a bad connection", () => {
  const silent = () => tcpServer(() => {});
  const whole = () =>
    fakeServer((query) => [writeMessage({ ...readMessage(query), qr: true, answers: [inMessage, inMessage] })]);

  test.each<[string, () => Promise<ServerAddress>, TransferOptions["bounds"], string]>([
    [
      "connection refused",
      async () => ({ host: "127.0.0.1", port: await freePort() }),
      {},
      "transfer/connect: cannot connect to the server (ECONNREFUSED)",
    ],
    [
      "a host without address",
      async () => ({ host: "ns.zonewright.invalid", port: 53 }),
      {},
      expect.stringMatching(/^transfer\/connect: cannot connect to the server \((?:ENOTFOUND|EAI_AGAIN)\)$/),
    ],
    ["a silent server", silent, { idleMs: 20 }, "transfer/timeout: the server has not answered within 0.02 seconds"],
    [
      "a server that never stops sending",
      () => tcpServer((socket) => void setInterval(() => socket.write(Buffer.of(1)), 5).unref()),
      { idleMs: 5000, totalMs: 200 },
      "transfer/timeout: the server has not completed its response within 0.2 seconds",
    ],
    [
      "a server that sends an octet now and then",
      () => tcpServer((socket) => void setInterval(() => socket.write(Buffer.of(1)), 5).unref()),
      { idleMs: 100, totalMs: 5000 },
      "transfer/timeout: the server has not answered within 0.1 seconds",
    ],
    [
      "a server that hangs up",
      () => tcpServer((socket) => socket.end()),
      {},
      "transfer/incomplete: the connection ended before a whole DNS message",
    ],
    [
      "a server that hangs up in the middle",
      async () => proxy(await whole(), 70),
      {},
      "transfer/incomplete: the connection ended before a whole DNS message",
    ],
    [
      "a server that breaks the connection",
      () => tcpServer((socket) => socket.on("data", () => socket.resetAndDestroy())),
      {},
      "transfer/incomplete: the connection ended before a whole DNS message",
    ],
    [
      "another protocol",
      () => tcpServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
      {},
      "transfer/incomplete: the connection ended before a whole DNS message",
    ],
    [
      "an empty message",
      () => tcpServer((socket) => socket.end("\0\0")),
      {},
      "transfer/message: the DNS message is invalid at octet 0: it ends in the middle of a field",
    ],
    ["a server that keeps the connection", whole, {}, "done"],
  ])("%s", async (_, start, bounds, expected) => {
    const server = await start();
    expect(await outcome(() => receiveZone({ zone: domainName("example."), server, bounds: bounds ?? {} }))).toEqual(
      expected,
    );
  });

  test("aborts before and during the transfer", async () => {
    const server = await silent();
    const given = (signal: AbortSignal) => outcome(() => receiveZone({ zone: domainName("example."), server, signal }));
    expect(await given(AbortSignal.abort())).toBe("transfer/aborted: the query was aborted");
    expect(await given(AbortSignal.timeout(20))).toBe("transfer/aborted: the query was aborted");
  });
});

/** A server on UDP that answers each message with these. */
async function udpServer(answer: (query: Message) => readonly NewMessage[]): Promise<ServerAddress> {
  const socket = createSocket("udp4");
  onTestFinished(() => void socket.close());
  socket.on("message", (octets, { address, port }) => {
    for (const message of answer(readMessage(octets))) socket.send(writeMessage(message), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { host: "127.0.0.1", port: socket.address().port };
}

describe("a query by UDP", () => {
  const reply = (query: Message, rest: NewMessage): NewMessage => {
    return { id: query.id, opcode: query.opcode, questions: query.questions, qr: true, ...rest };
  };
  const bounds = { timeoutMs: 40, attempts: 2 };
  const question = { name: domainName("example."), type: "A", class: 1 };

  test.each<[string, (query: Message) => readonly NewMessage[], string]>([
    ["its answer", (query) => [reply(query, {})], "done"],
    ["no answer", () => [], "transfer/timeout: no response over UDP to 2 queries"],
    ["another id before the answer", (query) => [reply(query, { id: query.id ^ 1 }), reply(query, {})], "done"],
    [
      "another id only",
      (query) => [reply(query, { id: query.id ^ 1 })],
      "transfer/answer: the response has another message id",
    ],
    [
      "the question itself",
      (query) => [reply(query, { qr: false })],
      "transfer/answer: the server sent a message that is not a response",
    ],
    [
      "another question",
      (query) => [reply(query, { questions: [{ ...question, type: "MX" }] })],
      "transfer/answer: the response is to another question",
    ],
    ["an error without the question", (query) => [reply(query, { questions: [], rcode: rcode.FORMERR })], "done"],
  ])("%s", async (_, answer, expected) => {
    const server = await udpServer(answer);
    expect(await outcome(() => ask(server, { question }, { bounds }))).toBe(expected);
  });

  test("reads a hundred datagrams of a flood, then asks over TCP", async () => {
    const server = await fakeServer((query) => [writeMessage(reply(readMessage(query), {}))]);
    const socket = createSocket("udp4");
    let isOver = false;
    onTestFinished(() => {
      isOver = true;
      socket.close();
    });
    socket.on("message", async (octets, { address, port }) => {
      const query = readMessage(octets);
      const forged = writeMessage(reply(query, { id: query.id ^ 1 }));
      for (let sent = 0; sent < 10_000 && !isOver; sent++) {
        socket.send(forged, port, address);
        if (sent % 50 === 49) await new Promise(setImmediate);
      }
    });
    socket.bind(server.port, server.host);
    await once(socket, "listening");
    let read = 0;
    const refuse = () => {
      read++;
      throw new TransferError("transfer/answer", "forged");
    };
    const patient = { timeoutMs: 30_000, attempts: 1 };
    expect(await overUdp(writeMessage({ id: 1, questions: [question] }), server, refuse, patient)).toBeUndefined();
    expect(read).toBe(100);
    expect(await outcome(() => ask(server, { question }, { bounds: patient }))).toBe("done");
  });

  test("reports a refused connection", async () => {
    const server = { host: "127.0.0.1", port: await freePort() };
    const expected = "transfer/connect: the server is unreachable (ECONNREFUSED)";
    expect(await outcome(() => ask(server, { question }, { bounds }))).toBe(expected);
  });

  test("aborts", async () => {
    const server = await udpServer(() => []);
    const signal = AbortSignal.timeout(20);
    expect(await outcome(() => ask(server, { question }, { signal }))).toBe("transfer/aborted: the query was aborted");
  });

  test.each<[string, NewMessage, string]>([
    ["the SOA record", { aa: true, answers: [inMessage] }, "done"],
    ["not authoritative", { answers: [inMessage] }, "transfer/soa: the server is not authoritative for the zone"],
    ["no such record", { aa: true }, "transfer/soa: the server is not authoritative for the zone"],
    [
      "of a zone above",
      { aa: true, answers: [{ ...inMessage, owner: domainName(".") }] },
      "transfer/soa: the server is not authoritative for the zone",
    ],
    ["REFUSED", { rcode: rcode.REFUSED }, "transfer/refused: the server refused the request (REFUSED)"],
  ])("SOA: %s", async (_, answer, expected) => {
    const server = await udpServer((query) => [reply(query, answer)]);
    expect(await outcome(() => askSoa(server, domainName("example."), { bounds }))).toBe(expected);
  });

  test("NOTIFY carries the changed zone and its new SOA record (RFC 1996)", async () => {
    const queries: Message[] = [];
    const server = await udpServer((query) => {
      queries.push(query);
      return [reply(query, { aa: true, rcode: queries.length > 1 ? rcode.NOTIMP : 0 })];
    });
    expect(await outcome(() => notify(server, soa, { bounds }))).toBe("done");
    expect(queries.map(({ opcode, aa, questions, answers }) => [opcode, aa, questions, linesOf(answers)])).toEqual([
      [4, true, [{ name: domainName("example."), type: "SOA", class: 1 }], linesOf([soa])],
    ]);
    expect(await outcome(() => notify(server, soa, { bounds }))).toBe("transfer/rcode: the server replied NOTIMP");
  });
});
