import { expect, test } from "vitest";
import { rcodeName } from "../../../src/dns/transfer/codes.ts";
import { type Message, readMessage } from "../../../src/dns/transfer/message.ts";
import { type NewMessage, writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { type Key, sign } from "../../../src/dns/transfer/tsig.ts";
import type { Zones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { domainName } from "../../names.ts";
import { repliesTo, zones as served, served as servedZone, zone } from "./served.ts";

const time = 1_800_000_000;
const key: Key = { name: domainName("shared.key."), algorithm: "hmac-sha256", secret: Buffer.from("secret") };
const edns = { udpSize: 4096, version: 0, do: true, options: [] };
const zones: Zones = {
  findZones: async () => served,
  listTransferred: async () => [],
  findTransferable: async (name, admit) => {
    if (name === "lost.example.") return "unavailable";
    if (name !== "example." || (await admit?.(["192.0.2.1"])) === false) return undefined;
    return { zone: servedZone(zone), axfrIps: [] };
  },
};

const notice: NewMessage = { opcode: 4, questions: [{ name: domainName("example."), type: "SOA", class: 1 }] };
const axfr = (name: string): NewMessage => ({ questions: [{ name: domainName(name), type: "AXFR", class: 1 }] });
const ixfr: NewMessage = {
  questions: [{ name: domainName("example."), type: "IXFR", class: 1 }],
  authorities: [servedZone(zone).soa],
};
const plain = (message: NewMessage) => writeMessage(message);
const signedWith =
  (changes: Partial<Key>, late = 0) =>
  (message: NewMessage) =>
    sign(writeMessage(message), { ...key, ...changes }, { time: time - late }).message;

async function answersOf(replies: AsyncIterable<Buffer>): Promise<Message[]> {
  const answers: Message[] = [];
  for await (const reply of replies) answers.push(readMessage(reply));
  return answers;
}

/** RFC 6891 §6.1.1: an OPT record in the request, an OPT record in the response. */
test.each<[string, NewMessage, peer: string, write: (message: NewMessage) => Buffer, expected: string]>([
  ["a NOTIFY that is taken", notice, "192.0.2.1", plain, "NOERROR"],
  ["a NOTIFY that is refused", notice, "192.0.2.9", plain, "REFUSED"],
  ["a signed NOTIFY", notice, "192.0.2.1", signedWith({}), "NOERROR"],
  ["a transfer", axfr("example."), "192.0.2.1", plain, "NOERROR"],
  ["a transfer to anybody", axfr("example."), "192.0.2.9", plain, "REFUSED"],
  ["a transfer of an unknown zone", axfr("no.example."), "192.0.2.1", plain, "NOTAUTH"],
  ["a transfer of a zone that has expired", axfr("lost.example."), "192.0.2.1", plain, "SERVFAIL"],
  ["a transfer to a client with the current serial", ixfr, "192.0.2.1", plain, "NOERROR"],
  ["an unknown key", axfr("example."), "192.0.2.1", signedWith({ name: domainName("other.") }), "NOTAUTH"],
  ["another secret", axfr("example."), "192.0.2.1", signedWith({ secret: Buffer.of(1) }), "NOTAUTH"],
  ["a wrong clock", axfr("example."), "192.0.2.1", signedWith({}, 301), "NOTAUTH"],
])("%s", async (_, message, peer, write, expected) => {
  const options = {
    zones,
    keys: [key],
    now: () => time,
    notice: async (_: string, peer: string) => (peer === "192.0.2.1" ? 0 : 5),
  };
  for (const wanted of [undefined, edns]) {
    const query = write({ id: 7, ...message, edns: wanted });
    const answers = await answersOf(repliesTo(query, "tcp", peer, options));
    // RFC 3225 §3: the DO bit is copied.
    const ours = wanted && { udpSize: 1232, version: 0, do: true, options: [] };
    expect(answers.map(({ rcode, edns }) => [rcodeName(rcode), edns])).toEqual([[expected, ours]]);
  }
});

test("a NOTIFY with another EDNS version is refused", async () => {
  const query = writeMessage({ ...notice, edns: { ...edns, version: 1 } });
  const taken = async () => expect.fail("taken");
  const answers = await answersOf(repliesTo(query, "udp", "192.0.2.1", { zones, notice: taken }));
  expect(answers).toMatchObject([{ rcode: 16, edns: { version: 0 } }]);
});
