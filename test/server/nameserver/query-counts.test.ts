import { expect, test } from "vitest";
import { writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { type AnswerContext, answerAny, answerFastSafely } from "../../../src/server/nameserver/answer-safely.ts";
import type { QuerySender, TcpClient } from "../../../src/server/nameserver/client.ts";
import { QueryCounts } from "../../../src/server/nameserver/query-counts.ts";
import { ResponseLimit } from "../../../src/server/nameserver/response-limit.ts";
import type { Zones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { readZone } from "../../dns/transfer/zones.ts";
import { domainName } from "../../names.ts";
import { served, stored } from "./served.ts";

const apex = domainName("large.example.");
/** A zone of several messages. */
const large = served(
  readZone(`$ORIGIN large.example.
@ 300 IN SOA ns.example.net. h 5 14400 3600 1209600 60
@ 300 IN NS ns.example.net.
${Array.from({ length: 300 }, (_, index) => `n${index} 300 IN TXT ${"x".repeat(200)}\n`).join("")}`),
);
const peer = "192.0.2.1";
const zones: Zones = {
  ...stored,
  findTransferable: async (_, admit) => {
    expect(await admit?.([peer])).toBe(true);
    return { zone: large, axfrIps: [peer] };
  },
};

function begin(context: Partial<AnswerContext> = {}) {
  const counts = new QueryCounts();
  return { counts, context: { zones, onError: () => {}, ...context, counts } satisfies AnswerContext };
}

function countsOf(counts: QueryCounts) {
  return {
    queries: counts.listQueries().map(({ transport, type, count }) => `${transport} ${type} ${count}`),
    responses: counts.listResponses().map(({ rcode, count }) => `${rcode} ${count}`),
    transfers: counts.listTransfers().map(({ type, outcome, count }) => `${type} ${outcome} ${count}`),
  };
}

const axfr = writeMessage({ questions: [{ name: apex, type: "AXFR", class: 1 }] });

type Leave = (client: { messages: AsyncGenerator<Buffer>; abort(): void }) => Promise<unknown>;

const toEnd: Leave = async ({ messages }) => {
  for await (const _ of messages);
};

/** Acts of a peer, zones that differ, and the counts of the response and of the transfer. */
test.each<[string, Leave, Partial<AnswerContext["zones"]>, string, string]>([
  ["takes all", toEnd, {}, "NOERROR 1", "AXFR whole 1"],
  [
    "leaves after the first message",
    async ({ messages }) => {
      await messages.next();
      await messages.return(undefined);
    },
    {},
    "NOERROR 1",
    "AXFR interrupted 1",
  ],
  [
    "is disconnected after the first message",
    async ({ messages, abort }) => {
      await messages.next();
      abort();
      expect(await messages.next()).toEqual({ done: true, value: undefined });
    },
    {},
    "NOERROR 1",
    "AXFR interrupted 1",
  ],
  ["finds no zone", toEnd, { findTransferable: async () => undefined }, "NOTAUTH 1", "AXFR refused 1"],
  [
    "may not transfer it",
    toEnd,
    {
      findTransferable: async (_, admit) => {
        expect(await admit?.(["192.0.2.2"])).toBe(false);
        return undefined;
      },
    },
    "REFUSED 1",
    "AXFR refused 1",
  ],
  [
    "asks for a zone without data",
    toEnd,
    { findTransferable: async () => "unavailable" },
    "SERVFAIL 1",
    "AXFR failed 1",
  ],
  [
    "meets an unexpected error",
    toEnd,
    { findTransferable: () => Promise.reject(new Error("broken")) },
    "SERVFAIL 1",
    "AXFR failed 1",
  ],
])("a transfer whose peer %s", async (_, leave, own, response, transfer) => {
  const { counts, context } = begin({ zones: { ...zones, ...own } });
  const connection = new AbortController();
  const client: TcpClient = {
    transport: "tcp",
    address: peer,
    site: peer,
    signal: connection.signal,
    onSigned: () => {},
  };
  await leave({ messages: answerAny(axfr, client, context), abort: () => connection.abort() });
  expect(countsOf(counts)).toEqual({ queries: ["tcp AXFR 1"], responses: [response], transfers: [transfer] });
});

const www = { name: domainName("www.example."), type: "A", class: 1 };
const udp: QuerySender = { transport: "udp", address: peer };

/** A message, and how it is counted: as a query and as a response. */
test.each<[string, Buffer, string[], string[]]>([
  ["a question", writeMessage({ questions: [www] }), ["udp A 1"], ["NOERROR 1"]],
  [
    "a question of a type of a draft",
    writeMessage({ questions: [{ ...www, type: "TYPE61440" }] }),
    ["udp other 1"],
    ["NOERROR 1"],
  ],
  [
    "a question of a type without a name",
    writeMessage({ questions: [{ ...www, type: "TYPE300" }] }),
    ["udp other 1"],
    ["NOERROR 1"],
  ],
  ["NOTIFY", writeMessage({ opcode: 4, questions: [{ ...www, type: "SOA" }] }), ["udp other 1"], ["NOTIMP 1"]],
  ["no question", writeMessage({ questions: [] }), ["udp other 1"], ["FORMERR 1"]],
  [
    "octets after a header that are no question",
    Buffer.from("001d00000001000000000000ff", "hex"),
    ["udp other 1"],
    ["FORMERR 1"],
  ],
  [
    "a later version of EDNS",
    writeMessage({ questions: [www], edns: { udpSize: 1232, version: 1, do: false, options: [] } }),
    ["udp A 1"],
    ["BADVERS 1"],
  ],
  ["a response", writeMessage({ qr: true, questions: [www] }), [], []],
  ["fewer octets than a header", Buffer.from("001d", "hex"), [], []],
])("%s", async (_, message, queries, responses) => {
  const { counts, context } = begin();
  for await (const reply of answerAny(message, udp, context)) expect(reply.length).toBeGreaterThan(11);
  expect(countsOf(counts)).toEqual({ queries, responses, transfers: [] });
});

test.each([
  ["by a zone in memory", true],
  ["after a read", false],
])("of three queries over the limit of responses, answered %s, two have a response", async (_, isKnown) => {
  const known = { version: () => 1, find: () => (isKnown ? large : undefined) };
  const limit = new ResponseLimit({ perSecond: 1, now: () => 0 });
  const { counts, context } = begin({ zones: { ...zones, known }, limit });
  const query = writeMessage({ questions: [{ ...www, name: domainName("n1.large.example."), type: "TXT" }] });
  const sent: (number | "none")[] = [];
  for (let queries = 0; queries < 3; queries++) {
    const fast = answerFastSafely(query, { transport: "udp", address: peer, version: 1 }, context);
    expect(fast === undefined).toBe(!isKnown);
    if (fast !== undefined) sent.push(fast === "none" ? fast : fast.length);
    else for await (const reply of answerAny(query, udp, context)) sent.push(reply.length);
  }
  expect(sent.filter((length) => length !== "none")).toHaveLength(2);
  const { queries, responses } = countsOf(counts);
  expect([queries, responses.map((line) => line.split(" ")[1])]).toEqual([["udp TXT 3"], isKnown ? ["2"] : ["1", "1"]]);
});
