import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault } from "../../src/dns/name/fault.ts";
import { decodeRdata, encodeRdata } from "../../src/dns/rdata/record-type.ts";
import { WireReader } from "../../src/dns/rdata/wire-reader.ts";
import { WireWriter } from "../../src/dns/rdata/wire-writer.ts";
import { typeOf } from "../../src/dns/types/index.ts";
import { canonical, type ZoneRecord } from "../../src/dns/zone/zone.ts";
import { readBind } from "../formats/api.ts";
import { compileZone, unknownToBind } from "../formats/named.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { name, zone } from "./arbitrary.ts";

/** Every RDATA that the pages of the record types call good. */
const folder = resolve(import.meta.dirname, "../cases/records");
const lines = readdirSync(folder).flatMap((page) => {
  const type = page.replace(".txt", "").toUpperCase();
  const good = [...readFileSync(join(folder, page), "utf8").matchAll(/^OK (.*)=> .*$/gm)];
  return good.map(([, rdata], index) => `${type === "SOA" ? "@" : `${type}-${index}`} 300 IN ${type} ${rdata}\n`);
});
const records = lines.flatMap((line) => [
  ...readBind({ file: "example.zone", bytes: Buffer.from(line), origin: domainName("example.") }).zone.records,
]);

test("writes and reads RDATA of every type unchanged", () => {
  expect(records.length).toBe(lines.length);
  expect(records.map((record) => canonical({ ...record, type: record.type, data: again(record) }))).toEqual(
    records.map(canonical),
  );
});

test.skipIf(isMissing("named-compilezone"))("named-compilezone reads the wire form as it reads the text", async () => {
  const octets = records.filter(isOfBind).map((record) => {
    const wire = encoded(record).toString("hex");
    return `${record.owner} 300 IN TYPE${typeOf(record.type).code} \\# ${wire.length / 2} ${wire}\n`;
  });
  expect(await judged(octets)).toBe(await judged(lines.filter((_, index) => isOfBind(records[index]))));
});

function isOfBind(record: ZoneRecord | undefined): boolean {
  return record !== undefined && !unknownToBind.includes(record.type);
}

test("writes and reads the data of any zone unchanged", () => {
  fc.assert(
    fc.property(zone, ({ records }) => {
      expect(records.map(again)).toEqual(records.map(({ data }) => data));
    }),
  );
});

test("reads compressed and uncompressed names in one message as written", () => {
  const names = fc.array(fc.tuple(name(domainName("Example.COM.")), fc.boolean()), { maxLength: 40 });
  fc.assert(
    fc.property(names, fc.nat(40), (names, cut) => {
      const wire = WireWriter.ofMessage();
      wire.octets("\0".repeat(12));
      const write = (some: typeof names) => {
        for (const [name, shared] of some) shared ? wire.sharedName(name) : wire.name(name);
      };
      write(names.slice(0, cut));
      const length = wire.length;
      write(names.slice(cut).reverse());
      wire.truncate(length); // what was taken back must not be pointed at
      write(names.slice(cut));
      const reader = WireReader.ofMessage(wire.bytes().toString("latin1"));
      reader.take(12);
      expect(names.map(() => reader.name())).toEqual(names.map(([name]) => name));
      expect(reader.isAtEnd).toBe(true);
    }),
  );
});

test("writes names with at most ten pointers", () => {
  const wire = WireWriter.ofMessage();
  wire.octets("\0".repeat(12));
  const names = Array.from({ length: 60 }, (_, index) => domainName(`${"a.".repeat(index)}example.`));
  const starts = names.map((name) => {
    const start = wire.length;
    wire.sharedName(name);
    return start;
  });
  const octets = wire.bytes();
  const pointersAt = (at: number): number => {
    const octet = octets.readUInt8(at);
    if (octet === 0) return 0;
    return octet < 192 ? pointersAt(at + octet + 1) : 1 + pointersAt(octets.readUInt16BE(at) & 0x3fff);
  };
  expect(Math.max(...starts.map(pointersAt))).toBe(10);
  const reader = WireReader.ofMessage(octets.toString("latin1"));
  reader.take(12);
  expect(names.map(() => reader.name())).toEqual(names);
});

describe("names on the wire", () => {
  const header = "\0".repeat(12);
  const long = `\x3f${"a".repeat(63)}`.repeat(3);

  test.each<[string, string, number, string]>([
    ["the root", "\0", 0, "."],
    ["labels", "\x03www\x07Example\0", 0, "www.Example."],
    ["a dot inside a label", "\x03a.b\0", 0, "a\\.b."],
    ["any byte", "\x02\0\xff\0", 0, "\\000\\255."],
    ["a pointer", "\x03com\0\x01a\xc0\x0c", 5, "a.com."],
    ["a pointer alone", "\x03com\0\xc0\x0c", 5, "com."],
    ["a pointer to a pointer", "\x03com\0\xc0\x0c\x01a\xc0\x11", 7, "a.com."],
    ["a pointer to the root", "\0\x01a\xc0\x0c", 1, "a."],
    ["255 bytes", `${long}\x3d${"a".repeat(61)}\0`, 0, `${`${"a".repeat(63)}.`.repeat(3)}${"a".repeat(61)}.`],
  ])("%s", (_, octets, skip, expected) => {
    const reader = WireReader.ofMessage(header + octets);
    reader.take(12 + skip);
    expect(reader.name()).toBe(expected);
    expect(reader.isAtEnd).toBe(true);
  });

  test.each<[string, string, number]>([
    ["nothing", "", 0],
    ["no end", "\x03com", 0],
    ["a truncated label", "\x03co", 0],
    ["half a pointer", "\xc0", 0],
    ["a pointer to itself", "\xc0\x0c", 0],
    ["a pointer to its own beginning", "\x01a\xc0\x0c", 0],
    ["a forward pointer", "\xc0\x0e\0", 0],
    ["a pointer into the header", "\xc0\x00", 0],
    ["a label of kind 01", "\x41a\0", 0],
    ["a label of kind 10", "\x81a\0", 0],
    ["256 octets", `${long}\x3e${"a".repeat(62)}\0`, 0],
    ["256 octets by a pointer", `${long}\0\x3e${"a".repeat(62)}\xc0\x0c`, long.length + 1],
    ["128 pointers", `\0${pointers(128)}`, 1 + 2 * 127],
  ])("rejects %s", (_, octets, skip) => {
    const reader = WireReader.ofMessage(header + octets);
    reader.take(12 + skip);
    expect(() => reader.name()).toThrow(Fault);
  });

  test("follows at most 127 pointers", () => {
    const reader = WireReader.ofMessage(`${header}\0${pointers(127)}`);
    reader.take(12 + 1 + 2 * 126);
    expect(reader.name()).toBe(".");
  });
});

/** Pointers each to the one before, the first to the root. */
function pointers(count: number): string {
  return Array.from({ length: count }, (_, index) => {
    const target = index === 0 ? 12 : 11 + 2 * index;
    return String.fromCharCode(0xc0 + (target >> 8), target & 255);
  }).join("");
}

function encoded({ type, data }: ZoneRecord): Buffer {
  const wire = WireWriter.plain();
  encodeRdata(typeOf(type), data, wire);
  return wire.bytes();
}

function again(record: ZoneRecord) {
  return decodeRdata(typeOf(record.type), WireReader.ofData(encoded(record).toString("latin1")));
}

/** The records as BIND reads them. A zone has one SOA record, so the tests of messages cover that type. */
async function judged(lines: readonly string[]): Promise<string | undefined> {
  const apex = "@ 300 IN SOA ns.example.net. hostmaster 1 2 3 4 5\n@ 300 IN NS ns.example.net.\n";
  const below = lines.filter((line) => !/^(?:@|example\.) /.test(line)).join("");
  const { records, messages } = await compileZone("example.", Buffer.from(apex + below));
  expect(records?.split("\n").length, messages).toBeGreaterThan(400);
  return records;
}
