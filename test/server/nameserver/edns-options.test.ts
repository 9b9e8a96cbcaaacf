import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { type Edns, readMessage } from "../../../src/dns/transfer/message.ts";
import { type NewMessage, writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { type Key, sign } from "../../../src/dns/transfer/tsig.ts";
import { EdnsOptions } from "../../../src/server/nameserver/edns-options.ts";
import { listenDns } from "../../../src/server/nameserver/listen.ts";
import { ResponseLimit } from "../../../src/server/nameserver/response-limit.ts";
import type { Zones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { repliesTo, zones as served } from "./served.ts";

const time = 1_800_000_000;
const edns = new EdnsOptions({ nsid: "ns1.example.net", secret: Buffer.from("secret") });
const zones: Zones = {
  findZones: async () => served,
  listTransferred: async () => [],
  findTransferable: async () => undefined,
};
const client = "abcdefgh";
const question = { name: domainName("www.example."), type: "A", class: 1 };

function readOptions(options: Edns["options"], now = time, peer = "192.0.2.1", answerer = edns) {
  return answerer.read({ udpSize: 1232, version: 0, do: false, options }, peer, now);
}

function cookieOf(data: string, now = time, peer = "192.0.2.1"): string {
  return readOptions([{ code: 10, data }], now, peer)?.options[0]?.data ?? "";
}

test("NSID is answered if requested, and only then", () => {
  const nsid = { code: 3, data: "ns1.example.net" };
  expect(readOptions([{ code: 3, data: "" }])).toEqual({ options: [nsid], cookie: "none" });
  expect(readOptions([])).toEqual({ options: [], cookie: "none" });
  expect(readOptions([{ code: 65_001, data: "x" }])).toEqual({ options: [], cookie: "none" });
  expect(edns.read(undefined, "192.0.2.1", time)).toEqual({ options: [], cookie: "none" });
});

test("a cookie has eight octets of the client and sixteen of the server: version 1, three zeros, the moment, a hash", () => {
  const cookie = cookieOf(client);
  expect(cookie.slice(0, 8)).toBe(client);
  expect(Buffer.from(cookie, "latin1").subarray(8, 16).toString("hex")).toBe("010000006b49d200");
  expect(cookie.length).toBe(24);
});

/** RFC 7873 §5.2 and RFC 9018 §4.3. */
test.each<
  [string, sent: () => string, at: { now?: number; peer?: string; other?: EdnsOptions }, expected: string | undefined]
>([
  ["the client's part alone", () => client, {}, "new"],
  ["the server's own", () => cookieOf(client), {}, "good"],
  ["the same, an hour later", () => cookieOf(client), { now: time + 3600 }, "good"],
  ["the same, later than that", () => cookieOf(client), { now: time + 3601 }, "bad"],
  ["one of a clock that is five minutes ahead", () => cookieOf(client), { now: time - 300 }, "good"],
  ["one of a clock further ahead", () => cookieOf(client), { now: time - 301 }, "bad"],
  ["of another address", () => cookieOf(client), { peer: "192.0.2.2" }, "bad"],
  ["of another client", () => `ABCDEFGH${cookieOf(client).slice(8)}`, {}, "bad"],
  ["with another moment", () => cookieOf(client).replace(/^(.{12})./s, "$1x"), {}, "bad"],
  ["with another hash", () => `${cookieOf(client).slice(0, 23)}\0`, {}, "bad"],
  [
    "of another secret",
    () => cookieOf(client),
    { other: new EdnsOptions({ nsid: "", secret: Buffer.from("other") }) },
    "bad",
  ],
  ["of another server, with 32 octets", () => client + "x".repeat(32), {}, "bad"],
  ["seven octets", () => "abcdefg", {}, undefined],
  ["nine octets", () => "abcdefghi", {}, undefined],
  ["41 octets", () => "x".repeat(41), {}, undefined],
  ["none", () => "", {}, undefined],
])("a cookie: %s", (_, sent, { now, peer, other }, expected) => {
  expect(readOptions([{ code: 10, data: sent() }], now, peer, other)?.cookie).toBe(expected);
});

const key: Key = { name: domainName("key."), algorithm: "hmac-sha256", secret: Buffer.alloc(32) };

function withCookie(data?: string): Edns {
  return { udpSize: 1232, version: 0, do: false, options: data === undefined ? [] : [{ code: 10, data }] };
}

async function answersTo(octets: Buffer, limit?: ResponseLimit) {
  const answers = [];
  const options = { zones, edns, limit, keys: [key], now: () => time };
  for await (const reply of repliesTo(octets, "udp", "192.0.2.1", options)) answers.push(readMessage(reply));
  return answers;
}

async function send(message: NewMessage, { limit, signedBy }: { limit?: ResponseLimit; signedBy?: Key } = {}) {
  const octets = writeMessage(message);
  const sent = signedBy ? sign(octets, signedBy, { time }).message : octets;
  return (await answersTo(sent, limit)).map(({ opcode, rcode, tc, edns }) => ({
    ...{ opcode, rcode, tc },
    ...(edns && { options: edns.options.map(({ code }) => code) }),
  }));
}

async function ask(options: Edns["options"], limit?: ResponseLimit) {
  const octets = writeMessage({ questions: [question], edns: { ...withCookie(), options } });
  return (await answersTo(octets, limit)).map(({ rcode, tc, answers, edns }) => ({
    ...{ rcode, tc, records: answers.length },
    options: edns?.options.map(({ code }) => code),
  }));
}

test("every answer carries the options; a cookie of invalid length is answered with FORMERR", async () => {
  expect(
    await ask([
      { code: 10, data: client },
      { code: 3, data: "" },
    ]),
  ).toEqual([{ rcode: 0, tc: false, records: 2, options: [3, 10] }]);
  expect(await ask([{ code: 10, data: "short" }])).toEqual([{ rcode: 1, tc: false, records: 0, options: [] }]);
});

/** RFC 7873 §5.4; RFC 6891 §6.1.3: of another version of EDNS the options are not read. */
test.each<[string, message: NewMessage, expected: object[]]>([
  ["a new cookie", { edns: withCookie(client) }, [{ rcode: 0, options: [10] }]],
  ["the server's own", { edns: withCookie(cookieOf(client)) }, [{ rcode: 0, options: [10] }]],
  ["an invalid one", { edns: withCookie(`${client}${"x".repeat(16)}`) }, [{ rcode: 23, options: [10] }]],
  ["no cookie", { edns: withCookie() }, [{ rcode: 1, options: [] }]],
  ["no EDNS", {}, [{ rcode: 1 }]],
  ["another opcode", { edns: withCookie(client), opcode: 2 }, [{ rcode: 4, options: [10] }]],
  ["EDNS version 1", { edns: { ...withCookie(client), version: 1 } }, [{ rcode: 16, options: [10] }]],
  [
    "EDNS version 1, and an option that is no cookie",
    { edns: { ...withCookie("short"), version: 1 }, questions: [question] },
    [{ rcode: 16, options: [] }],
  ],
])("a query for a cookie alone: %s", async (_, message, expected) => {
  expect(await send(message)).toEqual(expected.map((one) => ({ opcode: message.opcode ?? 0, tc: false, ...one })));
});

/** Small answers count too: whoever forges an address can ask for any of them. */
test.each<[string, message: NewMessage, signedBy?: Key]>([
  ["a cookie of a wrong length", { edns: withCookie("short"), questions: [question] }],
  ["an unsupported opcode", { edns: withCookie(), opcode: 2 }],
  ["NOTIFY", { edns: withCookie(), opcode: 4, questions: [{ ...question, type: "SOA" }] }],
  ["an invalid signature", { edns: withCookie(), questions: [question] }, { ...key, secret: Buffer.alloc(32, 1) }],
])("over the limit: %s", async (_, message, signedBy) => {
  const limit = new ResponseLimit({ perSecond: 1, now: () => 0 });
  expect(limit.decide("192.0.2.9")).toBe("answer");
  const comeByTcp = { opcode: message.opcode ?? 0, rcode: 0, tc: true, options: [] };
  expect(await send(message, { limit, ...(signedBy && { signedBy }) })).toEqual([comeByTcp]);
  expect(await send(message, { limit, ...(signedBy && { signedBy }) })).toEqual([]);
});

test("over the limit, the address of a secondary, which can be forged, is answered truncated over UDP, but fully over TCP", async () => {
  const limit = new ResponseLimit({ perSecond: 1, now: () => 0 });
  expect(limit.decide("192.0.2.1")).toBe("answer");
  const options = { zones, edns, limit, secondaries: ["192.0.2.1"], now: () => time };
  const octets = writeMessage({ questions: [question], edns: withCookie() });
  const from = async (transport: "udp" | "tcp") => {
    const answers = [];
    for await (const reply of repliesTo(octets, transport, "192.0.2.1", options)) answers.push(readMessage(reply));
    return answers.map(({ tc, answers }) => ({ tc, records: answers.length }));
  };
  expect(await from("udp")).toEqual([{ tc: true, records: 0 }]);
  expect(await from("udp")).toEqual([]);
  expect(await from("tcp")).toEqual([{ tc: false, records: 2 }]);
});

test("over the limit, a proven address is answered; others are answered truncated or dropped", async () => {
  const limit = new ResponseLimit({ perSecond: 1, now: () => 0 });
  const full = { rcode: 0, tc: false, records: 2 };
  expect(await ask([{ code: 10, data: client }], limit)).toEqual([{ ...full, options: [10] }]);
  expect(await ask([{ code: 10, data: client }], limit)).toEqual([{ rcode: 0, tc: true, records: 0, options: [10] }]);
  expect(await ask([], limit)).toEqual([]);
  expect(await ask([{ code: 10, data: cookieOf(client) }], limit)).toEqual([{ ...full, options: [10] }]);
});

test.skipIf(isMissing("dig", "kdig"))("dig and kdig accept the cookie and read the NSID", async () => {
  const service = await listenDns({
    host: "127.0.0.1",
    port: 0,
    zones,
    edns,
    onError: (error) => expect.fail(String(error)),
  });
  onTestFinished(service.close);
  const run = async (program: string, ...flags: string[]) => {
    const words = ["@127.0.0.1", "-p", String(service.port), "+nsid", ...flags, "www.example.", "A"];
    return (await promisify(execFile)(program, words)).stdout;
  };
  const dig = await run("dig", "-r", "+cookie");
  expect(dig).toContain('NSID: 6e 73 31 2e 65 78 61 6d 70 6c 65 2e 6e 65 74 ("ns1.example.net")');
  expect(dig).toMatch(/COOKIE: [0-9a-f]{48} \(good\)/);
  expect(await run("kdig", "+cookie")).toMatch(/COOKIE: [0-9a-f]{48}\n/i);
});
