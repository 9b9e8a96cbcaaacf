import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { readMessage } from "../../../src/dns/transfer/message.ts";
import { writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { AnswerVerifier } from "../../../src/dns/transfer/signed-answer.ts";
import type { TransferError } from "../../../src/dns/transfer/transfer-error.ts";
import { type AlgorithmName, algorithms, type Key, sign } from "../../../src/dns/transfer/tsig.ts";
import { ask, askSoa } from "../../../src/dns-client/ask.ts";
import { receiveZone } from "../../../src/dns-client/transfer-zone.ts";
import { answerAny } from "../../../src/server/nameserver/answer-safely.ts";
import { listenDns, type NameServerOptions } from "../../../src/server/nameserver/listen.ts";
import { startNotifier } from "../../../src/server/nameserver/notifier.ts";
import { ZonesByName } from "../../../src/server/nameserver/zones/served-zones.ts";
import { StoredZones, type Zones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings } from "../../../src/server/server.ts";
import { dig } from "../../dns/transfer/dig.ts";
import { linesOf, readZone } from "../../dns/transfer/zones.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { start } from "../start.ts";
import { served } from "./served.ts";
import { waitForCurrent } from "./wait-for-current.ts";

const host = "127.0.0.1";
const soon = (signal: AbortSignal) => wait(1, undefined, { signal });
const secret = Buffer.from("a secret that two servers share, of any length");
const keys = (Object.keys(algorithms) as AlgorithmName[]).map(
  (algorithm): Key => ({ name: domainName(`${algorithm}.key.`), algorithm, secret }),
);
const [key = expect.fail()] = keys.filter(({ algorithm }) => algorithm === "hmac-sha256");

/** A domain with 60 hosts at one name, which requires a key for transfers. */
async function begin(options: Partial<NameServerOptions> = {}) {
  const api = await start({ nameservers: ["ns1.example.net"] });
  const many = Array.from({ length: 60 }, (_, index) => ({ type: "A", name: "www", target: `192.0.2.${index}` }));
  await api.domain("example.com", many);
  const settings = readServerSettings({
    store: api.store,
    clock: () => api.clock.now,
    nameservers: ["ns1.example.net"],
  });
  const zones = new StoredZones(settings, () => api.clock.now, { isAllTransferred: true, waitForCurrent });
  const onError = (error: unknown) => expect.fail(String(error));
  const service = await listenDns({ host, port: 0, zones, keys, onError, ...options });
  onTestFinished(() => service.close());
  return { ...api, zones, at: { host, port: service.port } };
}

describe("a signed request gets the zone, signed", () => {
  test.each(keys.map((key) => [key.algorithm, key] as const))("%s", async (_, key) => {
    const { at } = await begin();
    const { records } = await receiveZone({ zone: domainName("example.com."), server: at, key });
    expect(records.length).toBe(62);
    expect((await askSoa(at, domainName("example.com."), { key })).owner).toBe("example.com.");
    const { answers } = await ask(
      at,
      { question: { name: domainName("www.example.com."), type: "A", class: 1 } },
      { key },
    );
    expect(answers.length).toBe(60);
  });

  for (const program of ["dig", "kdig"] as const)
    test.skipIf(isMissing(program))(`${program} verifies the signatures`, async () => {
      const { at } = await begin();
      const { records } = await receiveZone({ zone: domainName("example.com."), server: at, key });
      expect(await dig(at, "example.com.", "AXFR", { program, key })).toEqual(linesOf(records));
      expect(await dig(at, "example.com.", "IXFR=1", { program, key })).toEqual(linesOf(records));
      expect((await dig(at, "example.com.", "NS", { program, key })).length).toBe(2);
    });
});

test.each<[string, Partial<Key> | undefined, number, string]>([
  ["no key", undefined, 0, "transfer/refused: the server refused the request (REFUSED)"],
  ["another secret", { secret: Buffer.from("another") }, 0, "transfer/tsig: the server rejected the TSIG (BADSIG)"],
  ["an unknown key", { name: domainName("other.") }, 0, "transfer/tsig: the server rejected the TSIG (BADKEY)"],
  ["another algorithm", { algorithm: "hmac-sha512" }, 0, "transfer/tsig: the server rejected the TSIG (BADKEY)"],
  [
    "a wrong clock",
    {},
    301,
    "transfer/tsig: the server rejected the TSIG (BADTIME); its clock says 2027-01-15T08:00:00.000Z",
  ],
])("%s: no transfer", async (_, changes, late, expected) => {
  const { at } = await begin({ now: () => 1_800_000_000 });
  const refused = receiveZone({
    zone: domainName("example.com."),
    server: at,
    key: changes && { ...key, ...changes },
    now: () => 1_800_000_000 + late,
  });
  expect(await refused.catch((error) => `${error.problem.id}: ${error.message}`)).toBe(expected);
});

describe("an unexpected error is answered with SERVFAIL, signed, with the question", () => {
  const names = Array.from({ length: 5000 }, (_, index) => `h${index} 300 A 192.0.2.1\n`).join("");
  const file = `$ORIGIN example.com.\n@ 300 SOA ns.example.net. h 1 14400 3600 1209600 60\n@ 300 NS ns.example.net.\n${names}`;
  const all = readZone(file);
  /** A zone with a first message, of about 1,000 records, and an error in the second. */
  const brokenZone = () => {
    const zone = served(all);
    const { nodes } = zone;
    let left = 1500;
    return Object.defineProperty(zone, "nodes", { get: () => (left-- > 0 ? nodes : expected()) });
  };
  const expected = (): never => {
    throw new Error("expected");
  };
  const failing: Zones = {
    findZones: async () => expected(),
    findTransferable: async () => expected(),
    listTransferred: async () => [],
  };
  const failingLater: Zones = {
    ...failing,
    findTransferable: async (_, admit) => {
      await admit?.([]);
      return { zone: brokenZone(), axfrIps: [] };
    },
  };

  // dig and kdig do not say whether the last message of an interrupted transfer is signed.
  test("in a transfer", async () => {
    const now = () => 1_800_000_000;
    const questions = [{ name: domainName("example.com."), type: "AXFR", class: 1 }];
    const { message, mac } = sign(writeMessage({ questions }), key, { time: now() });
    const { signal } = new AbortController();
    const client = { transport: "tcp", address: host, site: host, signal, onSigned() {} } as const;
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const verifier = new AnswerVerifier(key, mac, now);
    const rcodes: number[] = [];
    for await (const octets of answerAny(message, client, { zones: failingLater, keys, now, onError })) {
      const answer = readMessage(octets);
      verifier.take(octets, answer);
      rcodes.push(answer.rcode);
    }
    verifier.end();
    expect(rcodes).toEqual([0, 2]);
    expect(errors).toEqual([new Error("expected")]);
  });

  const edns = { udpSize: 1232, version: 0, do: true, options: [] };
  test("to a datagram", async () => {
    const { at } = await begin({ zones: failing, onError: () => {} });
    const socket = createSocket("udp4");
    onTestFinished(() => void socket.close());
    const head = { id: 1, rd: true, cd: true };
    const questions = [{ name: domainName("www.example.com."), type: "A", class: 1 }];
    const query = writeMessage({ ...head, questions, edns });
    socket.send(sign(query, key, { time: Math.floor(Date.now() / 1000) }).message, at.port, host);
    const [answer] = await once(socket, "message");
    expect(readMessage(answer)).toMatchObject({ ...head, qr: true, rcode: 2, questions, edns, tsig: { error: 0 } });
  });

  // dig complains about a missing signature before anything else.
  test.skipIf(isMissing("dig")).each([
    ["A", "+tcp"],
    ["A", "+notcp"],
    ["AXFR", "+tcp"],
  ])("to dig, %s %s", async (type, flag) => {
    const { at } = await begin({ zones: failing, onError: () => {} });
    const reply = dig(at, "example.com.", type, { key, flags: [flag, "+comments"] });
    expect(await reply.catch((error) => error.message)).toContain("status: SERVFAIL");
  });
});

test("a datagram leaves room for its signature", async () => {
  const { at } = await begin();
  const socket = createSocket("udp4");
  onTestFinished(() => void socket.close());
  for (const name of ["www.example.com.", "example.com."]) {
    const query = writeMessage({ id: 1, questions: [{ name: domainName(name), type: "A", class: 1 }] });
    socket.send(sign(query, key, { time: Math.floor(Date.now() / 1000) }).message, at.port, host);
    const [answer] = await once(socket, "message");
    expect(answer.length).toBeLessThanOrEqual(512);
    expect(readMessage(answer)).toMatchObject({ tc: name.startsWith("www"), tsig: { error: 0 } });
  }
});

test("queries over UDP beyond the limit are dropped", async () => {
  const waiting: ((zones: ZonesByName) => void)[] = [];
  const findZones = () => new Promise<ZonesByName>((resolve) => waiting.push(resolve));
  const zones = { findZones, findTransferable: async () => undefined, listTransferred: async () => [] };
  const { at } = await begin({ zones, mostDatagrams: 3 });
  const socket = createSocket("udp4");
  onTestFinished(() => void socket.close());
  const question = { name: domainName("example.com."), type: "A", class: 1 };
  const answered: number[] = [];
  socket.on("message", (octets) => answered.push(octets.readUInt16BE(0)));
  const send = (id: number) => socket.send(writeMessage({ id, questions: [question] }), at.port, host);
  for (const id of [1, 2, 3, 4, 5]) send(id);
  // A query by TCP that is sent after them is also answered after them.
  const byTcp = receiveZone({ zone: domainName("example.com."), server: at }).catch(
    (error: TransferError) => error.problem.id,
  );
  expect(await byTcp).toBe("transfer/notauth");
  while (waiting.length < 3) await new Promise(setImmediate);
  for (const answer of waiting.splice(0)) answer(new ZonesByName([]));
  while (answered.length < 3) await once(socket, "message");
  expect(answered.sort()).toEqual([1, 2, 3]);
  send(6);
  while (waiting.length === 0) await new Promise(setImmediate);
  waiting[0]?.(new ZonesByName([]));
  await once(socket, "message");
  expect(answered).toEqual([1, 2, 3, 6]);
});

test("the operator's own secondaries get a NOTIFY for every zone, at their port", async () => {
  const { call, zones } = await begin();
  const socket = createSocket("udp4");
  socket.bind(0, host);
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  const secondaries = [{ host, port: socket.address().port }];
  const errors: string[] = [];
  const onError = (error: unknown) => errors.push(String(error));
  const told = once(socket, "message");
  let looked = 0;
  const watched = {
    findZones: zones.findZones.bind(zones),
    findTransferable: zones.findTransferable.bind(zones),
    listTransferred: async () => {
      const versions = await zones.listTransferred();
      if (looked++ === 0) await call("POST", "/domains/1/records", { type: "A", name: "new", target: "192.0.2.1" });
      return versions;
    },
  };
  const notifier = startNotifier({ zones: watched, port: 53, secondaries, wait: soon, onError });
  onTestFinished(() => notifier.close());
  const [notice] = await told;
  expect(readMessage(notice)).toMatchObject({
    opcode: 4,
    questions: [{ name: domainName("example.com."), type: "SOA" }],
  });
  expect(errors).toEqual([]);
});
