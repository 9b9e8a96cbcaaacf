import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { readMessage } from "../../src/dns/transfer/message.ts";
import { type NewMessage, writeMessage } from "../../src/dns/transfer/message-writer.ts";
import { ParentDsFinder } from "../../src/workflow/zones/parent-ds.ts";
import { readZone } from "../dns/transfer/zones.ts";
import { domainName } from "../names.ts";

const zone = domainName("a.example.");
const signal = new AbortController().signal;

/** A server on UDP that answers each query with this, or not at all. */
async function resolver(answer: NewMessage | undefined) {
  const socket = createSocket("udp4");
  const queries: ReturnType<typeof readMessage>[] = [];
  socket.on("message", (octets, { port }) => {
    const query = readMessage(octets);
    queries.push(query);
    const { id, questions } = query;
    if (answer) socket.send(writeMessage({ id, questions, qr: true, ...answer }), port, "127.0.0.1");
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return { host: "127.0.0.1", port: socket.address().port, queries };
}

const records = (text: string) =>
  readZone(text, "example").records.map(({ owner, type, ttl = 0, data }) => ({ owner, type, class: 1, ttl, data }));

const ds = `a 17 IN DS 4711 13 2 ${"ab".repeat(32)}\n`;
const signature = "a 17 IN RRSIG DS 13 2 86400 20270101000000 20260101000000 1 example. AAAA\n";
const soa = (owner: string) => records(`${owner} 300 IN SOA ns h 1 2 3 4 5\n`);

test.each<[string, NewMessage, object]>([
  ["records", { aa: true, answers: records(ds) }, { keyTags: [4711], ttl: 17 }],
  [
    "records from a cache, whose signature has the whole TTL",
    { ra: true, answers: records(ds + signature) },
    { keyTags: [4711], ttl: 86400 },
  ],
  ["records of another zone", { ra: true, answers: records(ds.replace("a ", "b ")) }, { keyTags: [], ttl: 0 }],
  ["no records", { ra: true, authorities: soa("@") }, { keyTags: [], ttl: 0 }],
  ["no such name", { ra: true, rcode: 3, authorities: soa("@") }, { keyTags: [], ttl: 0 }],
  [
    "no records in the zone itself",
    { aa: true, authorities: soa("a") },
    { unknown: "SERVER: the server does not answer for the parent zone" },
  ],
  [
    "a referral",
    { authorities: records("@ 300 IN NS ns\n") },
    { unknown: "SERVER: the server does not answer for the parent zone" },
  ],
  ["REFUSED", { rcode: 5 }, { unknown: "SERVER: the server refused the request (REFUSED)" }],
])("%s", async (_, answer, expected) => {
  const server = await resolver(answer);
  const found = await new ParentDsFinder([server]).find(zone, signal);
  expect(JSON.parse(JSON.stringify(found).replace(/127\.0\.0\.1:\d+/, "SERVER"))).toEqual(expected);
  expect(server.queries).toMatchObject([
    { rd: true, cd: true, questions: [{ name: "a.example.", type: "DS", class: 1 }], edns: { do: true } },
  ]);
});

test("a resolver that does not answer is asked for three zones, and the next one for all", async () => {
  const [silent, good] = [await resolver(undefined), await resolver({ ra: true, answers: records(ds) })];
  const finder = new ParentDsFinder([silent, good], { timeoutMs: 20, attempts: 1 });
  const found = [];
  for (let index = 0; index < 5; index++) found.push(await finder.find(zone, signal));
  expect(found).toEqual(Array(5).fill({ keyTags: [4711], ttl: 17 }));
  expect([silent.queries.length, good.queries.length]).toEqual([3, 5]);
});

test("without a resolver, DS records are unknown", async () => {
  expect(await new ParentDsFinder([]).find(zone, signal)).toEqual({ unknown: "no resolver is configured" });
});
