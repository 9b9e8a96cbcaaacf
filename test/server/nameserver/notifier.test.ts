import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { nameKey } from "../../../src/dns/name/name.ts";
import { readMessage } from "../../../src/dns/transfer/message.ts";
import { writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { isType } from "../../../src/dns/zone/zone.ts";
import type { ServerAddress } from "../../../src/dns-client/server-address.ts";
import { type NotifierOptions, startNotifier } from "../../../src/server/nameserver/notifier.ts";
import { ZonesByName } from "../../../src/server/nameserver/zones/served-zones.ts";
import type { Zones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { readZone } from "../../dns/transfer/zones.ts";
import { domainName } from "../../names.ts";
import { served } from "./served.ts";

const host = "127.0.0.1";

/** A secondary: it answers, or it is silent; and the notifications it received, in order. */
async function secondary(kind: "answers" | "silent", address = host, wanted = 0) {
  const socket = createSocket("udp4");
  socket.bind(wanted, address);
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  const notified: string[] = [];
  socket.on("message", (octets, peer) => {
    const { id, opcode, questions, answers } = readMessage(octets);
    notified.push(`${questions[0]?.name} ${answers.find((record) => isType(record, "SOA"))?.data.serial}`);
    if (kind === "answers") socket.send(writeMessage({ id, opcode, qr: true, questions }), peer.port, peer.address);
  });
  const until = async (...expected: string[]) => {
    while (notified.length < expected.length) await once(socket, "message");
    expect(notified).toEqual(expected);
  };
  return { host: address, port: socket.address().port, notified, until };
}

/**
 * Zones with the serial 1 and their axfr_ips, and a notifier that has seen those. It looks when it is told that some
 * have other serials, and waits without an end for who is silent.
 */
async function begin(axfrIps: Record<string, string[]>, options: Partial<NotifierOptions> = {}) {
  const serials = new Map(Object.keys(axfrIps).map((name) => [nameKey(domainName(name)), 1]));
  const zones: Zones = {
    findZones: async () => new ZonesByName([]),
    listTransferred: async () => [...serials].map(([name, serial]) => ({ name, serial })),
    findTransferable: async (name) => ({
      zone: served(readZone(`${name} 300 IN SOA ns h ${serials.get(nameKey(name))} 1 1 1 1\n`)),
      axfrIps: axfrIps[name] ?? [],
    }),
  };
  let next = () => {};
  let looked = () => {};
  const seen = new Promise<void>((resolve) => {
    looked = resolve;
  });
  const errors: string[] = [];
  const notifier = startNotifier({
    zones,
    port: 53,
    ask: { timeoutMs: 2 ** 30, attempts: 1 },
    wait: (signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve());
        next = resolve;
        looked();
      }),
    onError: (error) => errors.push(String(error)),
    ...options,
  });
  onTestFinished(() => notifier.close());
  onTestFinished(() => expect(errors).toEqual([]));
  await seen;
  return async (changes: Record<string, number>) => {
    for (const [name, serial] of Object.entries(changes)) serials.set(nameKey(domainName(name)), serial);
    const seen = new Promise<void>((resolve) => {
      looked = resolve;
    });
    next();
    await seen;
  };
}

test("a silent secondary delays neither other zones nor other secondaries of the zone", async () => {
  const good = await secondary("answers");
  const silent = await secondary("silent", "127.0.0.2", good.port);
  const look = await begin({ "a.example.": [silent.host, host], "b.example.": [host] }, { port: good.port });
  await look({ "a.example.": 2 });
  await good.until("a.example. 2");
  await silent.until("a.example. 2");
  await look({ "b.example.": 2 });
  await good.until("a.example. 2", "b.example. 2");
  await look({ "a.example.": 3 });
  await good.until("a.example. 2", "b.example. 2", "a.example. 3");
  expect(silent.notified).toEqual(["a.example. 2"]);
});

test("neither a silent operator's secondary nor many silent axfr_ips delay another operator's secondary", async () => {
  const [silent, good] = [await secondary("silent"), await secondary("answers")];
  const crowd = Array.from({ length: 20 }, (_, index) => `zone${index}.example.`);
  const nobody = Array.from({ length: 20 }, (_, index) => `127.0.1.${index}`);
  const axfrIps = Object.fromEntries(crowd.map((name) => [name, nobody]));
  const port = silent.port;
  for (const address of nobody) await secondary("silent", address, port);
  const secondaries: ServerAddress[] = [silent, good];
  const look = await begin(axfrIps, { port, secondaries });
  await look(Object.fromEntries(crowd.map((name) => [name, 2])));
  await good.until(...crowd.map((name) => `${name} 2`));
  await look({ "zone0.example.": 3 });
  await good.until(...crowd.map((name) => `${name} 2`), "zone0.example. 3");
});

test("a slow secondary gets one NOTIFY with the latest version", async () => {
  const socket = createSocket("udp4");
  socket.bind(0, host);
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  const look = await begin({ "a.example.": [] }, { secondaries: [{ host, port: socket.address().port }] });
  await look({ "a.example.": 2 });
  const [first, peer] = await once(socket, "message");
  await look({ "a.example.": 3 });
  await look({ "a.example.": 4 });
  const { id, opcode, questions } = readMessage(first);
  socket.send(writeMessage({ id, opcode, qr: true, questions }), peer.port, peer.address);
  const [second] = await once(socket, "message");
  expect(readMessage(second).answers.find((record) => isType(record, "SOA"))?.data.serial).toBe(4);
});

test("axfr_ips that are not allowed get no NOTIFY; the operator's own secondaries do", async () => {
  const [own, other] = [await secondary("answers"), await secondary("answers", "127.0.0.2")];
  const tenant = await secondary("answers", "127.0.0.3", other.port);
  const isAllowed = (address: string) => address !== "127.0.0.3";
  const change = await begin(
    { "a.example.": ["127.0.0.2", "127.0.0.3"] },
    { port: other.port, secondaries: [own], isAllowed },
  );
  await change({ "a.example.": 2 });
  await Promise.all([own.until("a.example. 2"), other.until("a.example. 2")]);
  expect(tenant.notified).toEqual([]);
});
