import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/dns/name/fault.ts";
import { dnsClass, rcode } from "../../../src/dns/transfer/codes.ts";
import { type Message, type MessageRecord, readHead, readMessage } from "../../../src/dns/transfer/message.ts";
import { MessageWriter, writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import type { RdataByType } from "../../../src/dns/types/index.ts";
import { domainName } from "../../names.ts";
import { samples } from "../../properties.ts";
import { name, zone } from "../arbitrary.ts";

const records = zone.map(({ records }) =>
  records.map(({ owner, type, ttl, data }): MessageRecord => ({ owner, type, class: 1, ttl: ttl ?? 0, data })),
);
const octets = fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString("latin1"));
const edns = fc.option(
  fc.record({
    udpSize: fc.nat(65535),
    version: fc.nat(255),
    do: fc.boolean(),
    options: fc.array(fc.record({ code: fc.nat(65535), data: octets }), { maxLength: 3 }),
  }),
  { nil: undefined },
);
const flag = fc.boolean();
const message = edns.chain((edns) =>
  fc.record({
    id: fc.nat(65535),
    opcode: fc.nat(15),
    rcode: fc.nat(edns ? 4095 : 15),
    ...{ qr: flag, aa: flag, tc: flag, rd: flag, ra: flag, ad: flag, cd: flag },
    questions: fc.array(
      fc.record({
        name: name(domainName("example.")),
        type: fc.constantFrom("A", "AXFR", "IXFR", "ANY", "TYPE65280", "SOA"),
        class: fc.nat(65535),
      }),
      { maxLength: 2 },
    ),
    answers: records,
    authorities: records,
    additionals: records,
    edns: fc.constant(edns),
  }),
);

test("writes and reads a message unchanged", () => {
  fc.assert(
    fc.property(message, (message) => {
      expect(readMessage(writeMessage(message))).toEqual({ ...message, unread: [], tsig: undefined });
    }),
  );
});

test("arbitrary bytes and mutated messages give a message or an error", () => {
  const changed = fc
    .tuple(message.map(writeMessage), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }), fc.nat())
    .map(([octets, changes, cut]) => {
      for (const [at, octet] of changes) octets[at % octets.length] = octet;
      return cut % 4 === 0 ? octets.subarray(0, cut % octets.length) : octets;
    });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), changed), (octets) => {
      const message = readOrFault(octets);
      // A message that was read can be written, and reads back equal.
      if (message === undefined || message.unread.length > 0 || message.tsig) return;
      if (message.rcode > 15 && !message.edns) throw new Error("an rcode of 12 bits without EDNS");
      expect(readMessage(writeMessage(message))).toEqual(message);
    }),
    samples(2000),
  );
});

function readOrFault(octets: Uint8Array): Message | undefined {
  try {
    return readMessage(octets);
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    expect((error as Fault).problem.id).toBe("dns-message");
    return undefined;
  }
}

/** A head with these counts, then these octets. */
function raw([questions = 0, answers = 0, authorities = 0, additionals = 0]: number[], rest: string): Buffer {
  const head = Buffer.alloc(12);
  for (const [index, count] of [questions, answers, authorities, additionals].entries())
    head.writeUInt16BE(count, 4 + index * 2);
  return Buffer.concat([head, Buffer.from(rest, "latin1")]);
}

const opt = "\0\0\x29\x04\xd0\0\0\0\0\0\0";
const tsig = "\x01k\0\0\xfa\0\xff\0\0\0\0\0\x1d\x0bhmac-sha256\0\0\0\0\0\0\x01\x01\x2c\0\0\0\0\0\0\0\0";
const address = "\0\0\x01\0\x01\0\0\0\x05\0\x04\xc0\0\x02\x01";

describe("invalid messages", () => {
  test.each<[string, number[], string, string]>([
    ["half a head", [], "", "octet 6: it ends in the middle of a field"],
    ["fewer questions than announced", [1], "", "octet 12: it ends in the middle of a field"],
    ["more questions than possible", [65535], "\0\0\x01\0\x01", "octet 17: it ends in the middle of a field"],
    ["trailing bytes", [], "\0", "octet 12: data follows the message"],
    ["a truncated record", [0, 1], address.slice(0, -1), "octet 23: it ends in the middle of a field"],
    [
      "data that is too long",
      [0, 1],
      `${address.replace("\x04", "\x05")}x`,
      "the RDATA is longer than that of an A record",
    ],
    ["two OPT records", [0, 0, 0, 2], opt + opt, "it has two OPT records, or one with a name"],
    ["an OPT record with a name", [0, 0, 0, 1], `\x01a${opt}`, "it has two OPT records, or one with a name"],
    ["an OPT record among the answers", [0, 1], opt, "a record has the query type OPT"],
    ["a truncated option", [0, 0, 0, 1], `${opt.slice(0, -1)}\x03\0\x03\0`, "it ends in the middle of a field"],
    ["a record after the TSIG", [0, 0, 0, 2], tsig + opt, "a record follows the TSIG record"],
    ["two TSIG records", [0, 0, 0, 2], tsig + tsig, "a record follows the TSIG record"],
    ["a TSIG of class IN", [0, 0, 0, 1], tsig.replace("\xff", "\x01"), "the TSIG record has a class or a TTL"],
    ["a TSIG among the answers", [0, 1], tsig, "a record has the query type TSIG"],
    ["a record of type ANY", [0, 1], address.replace("\0\x01", "\0\xff"), "a record has the query type ANY"],
    [
      "an endless name",
      [1],
      "\xc0\x0c\0\x01\0\x01",
      "the compression pointer of a name does not point to an earlier name",
    ],
  ])("%s", (title, counts, rest, expected) => {
    const octets = title === "half a head" ? Buffer.alloc(6) : raw(counts, rest);
    expect(() => readMessage(octets)).toThrow(expected);
    expect(readOrFault(octets)).toBeUndefined();
  });
});

describe("odd but valid messages", () => {
  /** An NSEC3 record whose next name is too short for SHA-1. */
  const nsec3 = "\0\0\x32\0\x01\0\0\0\x05\0\x07\x01\0\0\0\0\x01\xff";

  test("a header alone", () => {
    expect(readHead(raw([1, 2, 3, 4], "cut"))?.counts).toEqual([1, 2, 3, 4]);
    expect(readHead(Buffer.alloc(11))).toBeUndefined();
  });

  test("a TTL with its highest bit counts as 0 (RFC 2181 §8)", () => {
    const octets = raw([0, 1], address.replace("\x01\0\0\0\x05", "\x01\x80\0\0\x05"));
    expect(readMessage(octets).answers).toEqual([
      {
        owner: domainName("."),
        type: "A",
        class: dnsClass.in,
        ttl: 0,
        data: { address: "192.0.2.1" } satisfies RdataByType["A"],
      },
    ]);
  });

  test("keeps a record with a value that is invalid for its type undecoded, and reads the others", () => {
    const { answers, unread } = readMessage(raw([0, 2], nsec3 + address));
    expect(answers.map(({ type }) => type)).toEqual(["A"]);
    expect(unread.map(({ fault, ...record }) => ({ ...record, fault: fault.problem.id }))).toEqual([
      { owner: ".", type: "NSEC3", class: 1, ttl: 5, rdata: "\\# 7 010000000001FF", fault: "rdata-length" },
    ]);
  });

  test("leaves out such a record outside of the answer section", () => {
    const octets = raw([0, 1], address + nsec3);
    octets[11] = 1; // one additional record
    expect(readMessage(octets).unread).toEqual([]);
  });

  test("an rcode of 12 bits (RFC 6891 §6.1.3)", () => {
    const edns = { udpSize: 1232, version: 0, do: false, options: [] };
    expect(readMessage(writeMessage({ rcode: rcode.BADCOOKIE, edns })).rcode).toBe(rcode.BADCOOKIE);
  });
});

describe("respects a size limit", () => {
  const set = (name: string, count: number): MessageRecord[] =>
    Array.from({ length: count }, (_, index) => ({
      owner: domainName(name),
      type: "A",
      class: 1,
      ttl: 5,
      data: { address: `192.0.2.${index}` } satisfies RdataByType["A"],
    }));

  test("adds RRsets completely or not at all, with room for the OPT record", () => {
    const edns = { udpSize: 1232, version: 0, do: false, options: [] };
    const questions = [{ name: domainName("www.example."), type: "A", class: 1 }];
    const writer = new MessageWriter({ id: 1, qr: true, questions, edns }, 103);
    expect(writer.add("answers", set("www.example.", 5))).toBe(false);
    expect(writer.add("answers", set("www.example.", 3))).toBe(true);
    expect(writer.add("additionals", set("example.", 1))).toBe(false);
    writer.truncate();
    const octets = writer.bytes();
    expect(octets.length).toBe(12 + 17 + 3 * 16 + 11);
    expect(readMessage(octets)).toMatchObject({ tc: true, answers: set("www.example.", 3), additionals: [], edns });
  });

  test("does not write a message over 65535 bytes", () => {
    expect(() => writeMessage({ answers: set("www.example.", 4096) })).toThrow("at most 65535 octets");
  });
});

test("compresses names only with equal letter case, so that the case survives", () => {
  const questions = [{ name: domainName("www.Example.COM."), type: "MX", class: 1 }];
  const answers = ["www.Example.COM.", "WWW.example.com.", "ftp.Example.COM."].map((name) => ({
    owner: domainName(name),
    type: "MX",
    class: 1,
    ttl: 5,
    data: { preference: 1, exchange: domainName("mail.Example.COM.") } satisfies RdataByType["MX"],
  }));
  expect(readMessage(writeMessage({ questions, answers })).answers).toEqual(answers);
});
