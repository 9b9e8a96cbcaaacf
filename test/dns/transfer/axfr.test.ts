import { describe, expect, test } from "vitest";
import { transferMessages } from "../../../src/dns/compiled/transfer-messages.ts";
import { compileZone } from "../../../src/dns/compiled/zone-compiler.ts";
import { AxfrReceiver } from "../../../src/dns/transfer/axfr-receiver.ts";
import { rcode } from "../../../src/dns/transfer/codes.ts";
import { type MessageRecord, readMessage } from "../../../src/dns/transfer/message.ts";
import { type NewMessage, writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { AnswerSigner, AnswerVerifier } from "../../../src/dns/transfer/signed-answer.ts";
import { TransferError } from "../../../src/dns/transfer/transfer-error.ts";
import { type Key, sign } from "../../../src/dns/transfer/tsig.ts";
import type { RdataByType } from "../../../src/dns/types/index.ts";
import { domainName } from "../../names.ts";
import { everyType, largeZone, linesOf, readZone, soaOf } from "./zones.ts";

const [soa, ...records] = readZone(`
@ 300 IN SOA ns.example.net. hostmaster 7 14400 3600 1209600 300
@ 300 IN NS ns.example.net.
www 300 IN A 192.0.2.1
*.WWW 60 IN TXT "a"
`).records.map(({ owner, type, ttl = 0, data }): MessageRecord => ({ owner, type, class: 1, ttl, data }));
if (soa === undefined) throw new Error("no SOA");

const bounds = { records: 100, octets: 10_000 };
const question = { name: domainName("example."), type: "AXFR", class: 1 };
const answer = (answers: MessageRecord[], head: NewMessage = {}): NewMessage => {
  return { id: 7, qr: true, aa: true, questions: [question], answers, ...head };
};
const [ns, ...hosts] = records as [MessageRecord, ...MessageRecord[]];
const otherSoa = { ...soa, data: { ...soa.data, serial: 8 } };

/** The records that came out, or why none did. */
function received(
  messages: Iterable<Uint8Array>,
  receiver = new AxfrReceiver(domainName("example."), 7, bounds),
): string {
  try {
    for (const message of messages) receiver.take(message);
    const { records, unread } = receiver.end();
    return `${records.length} records${unread.length > 0 ? `, ${unread.length} unread` : ""}`;
  } catch (error) {
    if (error instanceof TransferError) return `${error.problem.id}: ${error.message}`;
    throw error;
  }
}

/** A substitution without its end. */
const wrongRule = { order: 1, preference: 1, flags: "u", services: "", regexp: "!a", replacement: "." };

describe("received messages", () => {
  test.each<[string, NewMessage[], string]>([
    ["one message", [answer([soa, ns, ...hosts, soa])], "4 records"],
    [
      "several, later ones without the question",
      [answer([soa, ns]), answer(hosts, { questions: [] }), answer([soa], { questions: [] })],
      "4 records",
    ],
    ["a message for each record", [soa, ns, ...hosts, soa].map((record) => answer([record])), "4 records"],
    ["an empty message between", [answer([soa, ns]), answer([]), answer([soa])], "2 records"],
    [
      "the question in other letter case",
      [answer([soa, soa], { questions: [{ ...question, name: domainName("EXAMPLE.") }] })],
      "1 records",
    ],
    ["the last SOA in other letter case", [answer([soa, { ...soa, owner: domainName("Example.") }])], "1 records"],
    ["a record twice, which is the same zone", [answer([soa, ns, ns, soa])], "3 records"],
    ["no message", [], "transfer/incomplete: the connection ended before a whole DNS message"],
    ["no second SOA", [answer([soa, ns])], "transfer/incomplete: the transfer ended early, after 2 records"],
    [
      "a truncated message",
      [answer([soa, ns], { tc: true })],
      "transfer/answer: the server sent a truncated response over TCP",
    ],
    ["another id", [answer([soa, soa], { id: 8 })], "transfer/answer: the response has another message id"],
    [
      "another id later",
      [answer([soa, ns]), answer([soa], { id: 8 })],
      "transfer/answer: the response has another message id",
    ],
    [
      "a question",
      [answer([soa, soa], { qr: false })],
      "transfer/answer: the server sent a message that is not a response",
    ],
    [
      "a NOTIFY",
      [answer([soa, soa], { opcode: 4 })],
      "transfer/answer: the server sent a message that is not a response",
    ],
    ["no question", [answer([soa, soa], { questions: [] })], "transfer/answer: the response is to another question"],
    [
      "another zone",
      [answer([soa, soa], { questions: [{ ...question, name: domainName("example.com.") }] })],
      "transfer/answer: the response is to another question",
    ],
    [
      "another type",
      [answer([soa, soa], { questions: [{ ...question, type: "SOA" }] })],
      "transfer/answer: the response is to another question",
    ],
    [
      "another class",
      [answer([soa, soa], { questions: [{ ...question, class: 3 }] })],
      "transfer/answer: the response is to another question",
    ],
    [
      "two questions",
      [answer([soa, soa], { questions: [question, question] })],
      "transfer/answer: the response is to another question",
    ],
    ["REFUSED", [answer([], { rcode: rcode.REFUSED })], "transfer/refused: the server refused the request (REFUSED)"],
    [
      "NOTAUTH",
      [answer([], { rcode: rcode.NOTAUTH })],
      "transfer/notauth: the server is not authoritative for the zone, or rejected the TSIG key (NOTAUTH)",
    ],
    [
      "SERVFAIL",
      [answer([], { rcode: rcode.SERVFAIL })],
      "transfer/servfail: the server failed (SERVFAIL), often because it has not loaded the zone",
    ],
    ["NXDOMAIN", [answer([], { rcode: rcode.NXDOMAIN })], "transfer/rcode: the server replied NXDOMAIN"],
    ["an unknown rcode", [answer([], { rcode: 13 })], "transfer/rcode: the server replied rcode 13"],
    [
      "SERVFAIL later",
      [answer([soa, ns]), answer([], { rcode: rcode.SERVFAIL })],
      "transfer/servfail: the server failed (SERVFAIL), often because it has not loaded the zone",
    ],
    [
      "a record before the SOA",
      [answer([ns, soa, soa])],
      "transfer/soa: the transfer does not start with the SOA record of the zone",
    ],
    [
      "the SOA of another zone",
      [answer([{ ...soa, owner: domainName("com.") }, soa])],
      "transfer/soa: the transfer does not start with the SOA record of the zone",
    ],
    [
      "an SOA below the apex",
      [answer([soa, { ...soa, owner: domainName("a.example.") }, soa])],
      "transfer/soa: the transfer does not start with the SOA record of the zone",
    ],
    [
      "another SOA at the end",
      [answer([soa, ns, otherSoa])],
      "transfer/soa: the zone changed during the transfer: it ends with another SOA record",
    ],
    [
      "differences (RFC 1995)",
      [answer([otherSoa, soa, ns, otherSoa, ns, otherSoa])],
      "transfer/soa: the zone changed during the transfer: it ends with another SOA record",
    ],
    ["a record after the end", [answer([soa, ns, soa, ns])], "transfer/answer: records follow the end of the zone"],
    [
      "a record after the end in the same message",
      [answer([soa, ns, soa, ns])],
      "transfer/answer: records follow the end of the zone",
    ],
    [
      "a message after the end",
      [answer([soa, soa]), answer([ns])],
      "transfer/answer: records follow the end of the zone",
    ],
    [
      "a record outside the zone",
      [answer([soa, { ...ns, owner: domainName("www.example.com.") }, soa])],
      'transfer/out-of-zone: the server sent "www.example.com.", which is not in the zone',
    ],
    [
      "a name that only looks as if inside",
      [answer([soa, { ...ns, owner: domainName("notexample.") }, soa])],
      'transfer/out-of-zone: the server sent "notexample.", which is not in the zone',
    ],
    [
      "a record of class CH",
      [answer([soa, { ...ns, class: 3 }, soa])],
      "transfer/class: a record has the class 3, not IN",
    ],
    [
      "more records than allowed",
      [answer([soa, ...Array.from({ length: 100 }, () => ns), soa])],
      "transfer/too-large: the zone has more than 100 records",
    ],
    [
      "more bytes than allowed",
      [
        answer([
          soa,
          {
            ...ns,
            type: "TXT",
            data: { strings: Array.from({ length: 40 }, () => "x".repeat(255)) } satisfies RdataByType["TXT"],
          },
          soa,
        ]),
      ],
      "transfer/too-large: the zone is larger than 10000 octets",
    ],
    [
      "a record with a wrong value",
      [answer([soa, { ...ns, type: "NAPTR", data: wrongRule }, soa])],
      "1 records, 1 unread",
    ],
    [
      "such a record of class CH",
      [answer([soa, { ...ns, class: 3, type: "NAPTR", data: wrongRule }, soa])],
      "transfer/class: a record has the class 3, not IN",
    ],
    [
      "such a record outside the zone",
      [
        answer([
          soa,
          {
            ...ns,
            owner: domainName("a.test."),
            type: "NAPTR",
            data: wrongRule,
          },
          soa,
        ]),
      ],
      'transfer/out-of-zone: the server sent "a.test.", which is not in the zone',
    ],
  ])("%s", (_, messages, expected) => {
    expect(received(messages.map(writeMessage))).toBe(expected);
  });

  test("rejects bytes that are not a message", () => {
    const expected = "transfer/message: the DNS message is invalid at octet 2: it ends in the middle of a field";
    expect(received([Buffer.from("abc")])).toBe(expected);
  });
});

describe("sent messages are received", () => {
  const request = readMessage(writeMessage({ id: 7, questions: [question] }));
  const wide = { records: 200_000, octets: 2 ** 24 };
  const compiled = ({ records }: ReturnType<typeof readZone>) => compileZone(soaOf(records), records.slice(1), 5);

  test.each([
    ["every type", everyType()],
    ["100,000 records", largeZone(100_000)],
  ])("%s", (_, zone) => {
    const receiver = new AxfrReceiver(domainName("example."), 7, wide);
    const messages = [...transferMessages(request, compiled(zone))];
    for (const message of messages) receiver.take(message);
    expect(receiver.end().records.length).toBe(zone.records.length);
    expect(linesOf(receiver.end().records)).toEqual(linesOf(zone.records));
    expect(Math.max(...messages.map(({ length }) => length))).toBeLessThanOrEqual(65535);
  });

  test("leaves room for the signature in each signed message", () => {
    const key: Key = { name: domainName("key."), algorithm: "hmac-sha512", secret: Buffer.from("secret") };
    const { mac } = sign(writeMessage({ id: 7, questions: [question] }), key, { time: 1000 });
    const messages = [
      ...transferMessages(request, compiled(largeZone(20_000)), new AnswerSigner(key, { mac }, () => 1000)),
    ];
    expect(messages.length).toBeGreaterThan(3);
    expect(Math.max(...messages.map(({ length }) => length))).toBeLessThanOrEqual(65535);
    const wanting = () => new AxfrReceiver(domainName("example."), 7, wide, new AnswerVerifier(key, mac, () => 1000));
    expect(received(messages, wanting())).toBe("20000 records");
    expect(received([...transferMessages(request, compiled(largeZone(9)))], wanting())).toBe(
      "transfer/tsig: the response is not signed with the TSIG key",
    );
    expect(received(messages.with(2, messages[1] ?? Buffer.of()), wanting())).toBe(
      "transfer/tsig: the TSIG of the response is invalid (BADSIG)",
    );
  });

  test("starts a new message after 16 KiB, and for a record that does not fit", () => {
    const { records } = readZone("@ 300 IN SOA a. b. 1 2 3 4 5\n");
    const huge = (octets: number) => {
      const strings = "x".repeat(octets - Math.ceil(octets / 256)).match(/.{1,255}/g);
      return { owner: domainName("example."), type: "TXT", ttl: undefined, data: { strings } };
    };
    const sent = (...octets: number[]) => [
      ...transferMessages(request, compileZone(soaOf(records), octets.map(huge), 5)),
    ];
    const typesOf = (messages: readonly Buffer[]) =>
      messages.map((message) => readMessage(message).answers.map(({ type, ttl }) => `${type} ${ttl}`));
    expect(typesOf(sent(8000, 8001, 8002))).toEqual([["SOA 300", "TXT 5", "TXT 5", "TXT 5"], ["SOA 300"]]);
    expect(typesOf(sent(8000, 60_000, 8001))).toEqual([["SOA 300", "TXT 5"], ["TXT 5"], ["TXT 5", "SOA 300"]]);
    expect(typesOf(sent(40_960, 65_024))).toEqual([["SOA 300", "TXT 5"], ["TXT 5"], ["SOA 300"]]);
    expect(() => sent(65_535)).toThrow("does not fit into a message");
  });
});
