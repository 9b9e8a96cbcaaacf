import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readPlainLines } from "../../src/formats/bind/plain-lines.ts";
import { Reading } from "../../src/formats/bind/reading.ts";
import type { ReadResult } from "../../src/formats/kit/source.ts";
import { inputs } from "../fuzz/inputs.ts";
import { domainName } from "../names.ts";
import { samples } from "../properties.ts";
import { type ApiFile, readBind, readBindFile } from "./api.ts";

const origin = domainName("example.");

/** The part of a file that is not read as ordinary lines, under a default TTL. */
function unreadPart(text: string): string {
  const bytes = Buffer.from(text, "latin1");
  const reading = new Reading({ file: "zone", bytes, origin, settings: [] }, { hasTree: false });
  reading.ttls.set(60);
  readPlainLines(reading);
  return text.slice(reading.open.scanner.at);
}

test.each([
  "www A 192.0.2.1",
  "www\t 300\tIN A\t192.0.2.1 \t",
  "WWW in 300 a 192.0.2.1 ; a comment",
  "www A 192.0.2.1;a comment",
  "www A 192.0.2.1\r",
  "*.a.b._tcp.www.example. AAAA 2001:db8::1",
  "www CNAME @",
  "www MX 10 mail.example.net.",
  "www SRV 0 65535 53 ns",
  'www TXT "v=spf1 -all" "with ; and )"',
  "; a comment",
  " ;@ a comment",
  " \t",
  'www A 192.0.2.1\n\tAAAA ::1\nwww MX 10 a\n IN TXT "a"\nb NS www',
])("%j is ordinary", (text) => {
  expect(unreadPart(`${text}\n`)).toBe("");
});

test.each([
  ["the last line without an end", "www A 192.0.2.1"],
  ["a directive", "$TTL 1h\n"],
  ["a directive comment", ";@ tags: a\n"],
  ["an SOA record", "@ SOA ns hostmaster 1 2 3 4 5\n"],
  ["an escape in the owner", "\\119ww A 192.0.2.1\n"],
  ["an owner that looks like a comment", "#www A 192.0.2.1\n"],
  ["RDATA that looks like a comment", "www MX 10 //a\n"],
  ["an internationalized owner", "b\u00c3\u00bc A 192.0.2.1\n"],
  ["a long label", `${"a".repeat(64)} A 192.0.2.1\n`],
  ["a long name", `${"a.".repeat(124)} A 192.0.2.1\n`],
  ["a TTL with units", "www 1h A 192.0.2.1\n"],
  ["two TTLs", "www 60 60 A 192.0.2.1\n"],
  ["another class", "www CH A 192.0.2.1\n"],
  ["a type by its number", "www TYPE1 \\# 4 C0000201\n"],
  ["an unknown type", "www FOO 192.0.2.1\n"],
  ["parentheses", "www A (\n192.0.2.1 )\n"],
  ["an invalid address", "www A 192.0.2.256\n"],
  ["too much RDATA", "www A 192.0.2.1 192.0.2.2\n"],
  ["missing RDATA", "www MX 10\n"],
  ["a relative target with a dot", "www CNAME a.b\n"],
  ["a text without quotes", "www TXT v=spf1 -all\n"],
  ["an escape in a text", 'www TXT "\\""\n'],
  ["a text before a comment", 'www TXT "v=DKIM1" ; k=rsa\n'],
  ["a text before a line of a comment", 'www TXT "v=DKIM1"\n; k=rsa\n'],
  ["a long string", `www TXT "${"a".repeat(256)}"\n`],
  ["a carriage return that ends a line", "www A 192.0.2.1\rwww A 192.0.2.2\n"],
  ["a control character", "www A\u0001 192.0.2.1\n"],
])("left to its entry: %s", (_, text) => {
  expect(unreadPart(`a A 192.0.2.9\n\n${text}`)).toBe(text);
});

test("left to its entry: a record before any owner", () => {
  expect(unreadPart(" A 192.0.2.1\n")).toBe(" A 192.0.2.1\n");
});

const words = {
  owner: ["www", "WWW", "@", "a.b", "*.x", "www.example.", "Www.EXAMPLE.", "example.", "other.", "#x", " ", "\t", ""],
  head: ["", "300 ", "60 ", "1h IN ", "IN ", "in 5m ", "300 IN ", "CH ", "0 ", "2147483648 ", "IN IN ", "1 2 "],
  name: ["www", "www.example.", "a.b", ".", "@", "x\\.y.", "a..b", "#c", "//d", "n;e", '"q"', "\u00c3\u00bc"],
  string: ['"a"', '"a" "b"', '"a""b"', '"a;b"', '"v=DKIM1; k=rsa"', "v=DKIM1", '"\\034"', '"open', "a", '""'],
  address: [
    "192.0.2.1",
    "192.0.2.01",
    "192.0.2.256",
    "192.0.2",
    "::1",
    "1::",
    ":1",
    "1:2:3:4:5:6:7:8",
    "::ffff:1.2.3.4",
  ],
  number: ["10", "0", "65535", "65536", "x", "-1", "010", '"10"'],
  signature: [
    "A 8 2 300 20300101000000 20200101000000 1 x. abcd",
    "NS 8 2 300 20300101000000 20200101000000 1 x. abcd",
  ],
  end: [
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "\n;c\n",
    "\n ; c\n)\n",
    ";c\n",
    "\n;@ implicit: NS A\n",
    "\n)\n",
    " (\n",
    " ; k=rsa\n",
    "",
    "\0\n",
  ],
  directive: [
    "$TTL 1h\n",
    "$ORIGIN sub\n",
    "$ORIGIN .\n",
    "$ORIGIN other.\n",
    "$GENERATE 1-3 a$ A 192.0.2.$\n",
    "$INCLUDE hosts\n",
    "$INCLUDE hosts sub\n",
  ],
  soa: ["@ SOA ns hostmaster 1 2 3 4 5\n", "other. 300 SOA ns hostmaster 1 2 3 4 5\n"],
};
const word = (kind: keyof typeof words) => fc.constantFrom(...words[kind]);
const joined = (...parts: readonly fc.Arbitrary<string>[]) => fc.tuple(...parts).map((parts) => parts.join(" "));
const data = fc.oneof(
  joined(fc.constantFrom("A", "AAAA", "a"), word("address")),
  joined(fc.constantFrom("NS", "CNAME", "PTR", "DNAME"), word("name")),
  joined(fc.constant("MX"), word("number"), word("name")),
  joined(fc.constant("SRV"), word("number"), word("number"), word("number"), word("name")),
  joined(fc.constantFrom("TXT", "SPF"), word("string")),
  joined(fc.constant("CAA"), word("number"), fc.constantFrom("issue", "is-sue"), word("string")),
  joined(fc.constant("RRSIG"), word("signature")),
);
const line = fc.tuple(
  word("owner"),
  word("head"),
  data,
  fc.oneof({ weight: 4, arbitrary: fc.constant("\n") }, word("end")),
);
const easyLine = fc
  .tuple(fc.constantFrom("www", "WWW", "@", " ", "www.example."), fc.constantFrom("", "60 ", "300 "), data)
  .map(([owner, ttl, data]) => `${owner} ${ttl}${data}\n`);
const file = fc
  .array(
    fc.oneof(
      line.map(([owner, head, data, end]) => `${owner} ${head}${data}${end}`),
      easyLine,
      word("directive"),
      word("soa"),
    ),
  )
  .map((lines) => Buffer.from(`$TTL 1h\n${lines.join("")}`, "latin1"));
const anyFile = inputs(false)
  .filter(({ format }) => format === "bind")
  .map(({ bytes }) => bytes);

test("a file read by ordinary lines where possible is the same as one read by entries: records, places, problems", () => {
  const includer = {
    identity: "zone",
    open: (file: string) => ({
      file,
      identity: file,
      bytes: Buffer.from('a A 192.0.2.9\n TXT "a"\nWWW.example. 60 A 192.0.2.1\n'),
    }),
  };
  fc.assert(
    fc.property(fc.oneof(file, anyFile), (bytes) => {
      const read: ApiFile = { file: "zone", bytes, origin, includer };
      expect(contentOf(readBind(read))).toEqual(contentOf(readBindFile(read)));
    }),
    samples(3000),
  );
});

function contentOf({ zone: { records, ...zone }, problems }: ReadResult) {
  return { ...zone, records: records.map((record) => ({ ...record, source: record.source?.file })), problems };
}
