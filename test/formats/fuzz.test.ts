import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inputs } from "../fuzz/inputs.ts";
import { type Format, judge, readers } from "../fuzz/judge.ts";
import { checkValues } from "../fuzz/judge-yaml.ts";
import { domainName } from "../names.ts";
import { isNightly, samples } from "../properties.ts";

const megabyte = 2 ** 20;

/** A slice of the long run `tsx test/fuzz/main.ts [count] [seed]`. */
/** A million records, or as much data, from a few lines: seconds each, so in full runs only. */
const hugeGenerates: [what: string, format: Format, text: string, gist: string][] = [
  [
    "several $GENERATE",
    "bind",
    `$TTL 1h\n${"$GENERATE 1-300000 a$ A 192.0.2.1\n".repeat(4)}`,
    "900000 records, generate-count",
  ],
  [
    "a $GENERATE of much data",
    "bind",
    `$TTL 1h\n$GENERATE 1-1000000 a$ TXT "${"word ".repeat(12000)}"\n`,
    "1118 records, generate-count",
  ],
];

test("mutated files and random bytes: reads within bounds and loses nothing", () => {
  fc.assert(
    fc.property(inputs(false), ({ format, bytes }) => void judge(format, bytes)),
    samples(1500),
  );
});

test.each<[string, "yaml" | "octodns", string]>([
  ["a value", "yaml", "records:\n  a:\n    A: 192.0.2.1\n"],
  ["an item of a list", "yaml", "records:\n  a:\n    MX: { ttl_sec: 5m, values: [1 b, 2 b] }\n"],
  [
    "a value of a part",
    "yaml",
    "records:\n  a:\n    TXT:\n    - { ttl_sec: 5m, values: [b, c] }\n    - { ttl_sec: 1h, values: d }\n",
  ],
  ["the one value of a part", "yaml", "records:\n  a:\n    TXT:\n    - { ttl_sec: 5m, values: b }\n    - c\n"],
  ["a value behind an alias", "yaml", "records:\n  a: &a\n    A: 192.0.2.1\n  b: *a\n"],
  ["a value", "octodns", "a:\n  type: A\n  value: 192.0.2.1\n"],
  ["an item of a list", "octodns", "a:\n- type: A\n  values:\n  - 192.0.2.1\n  - 192.0.2.2\n"],
])("the checker detects the loss of %s of %s", (_, format, text) => {
  const { zone, problems } = readers[format]({
    file: "lost",
    bytes: Buffer.from(text),
    origin: domainName("example."),
  });
  const lineOf = (offset: number) => text.slice(0, offset).split("\n").length;
  expect(() => checkValues(format, text, { zone, problems }, lineOf)).not.toThrow();
  const lost = { ...zone, records: zone.records.filter(({ start }) => start !== zone.records.at(0)?.start) };
  expect(() => checkValues(format, text, { zone: lost, problems }, lineOf)).toThrow(/neither a record nor a problem/);
});

test("the checker accepts one error about all comments of a foreign syntax", () => {
  expect(gist("bind", `# one\n# two\n${records}`)).toBe("2 records, hash-comment");
});

/** The number of records in a file, and each reported rule once. */
function gist(format: Format, text: string, read: typeof judge = judge): string {
  const { zone, problems } = read(format, Buffer.from(text, "latin1"));
  return [`${zone.records.length} records`, ...new Set(problems.map(({ id }) => id))].join(", ");
}

const records = "a 300 A 192.0.2.1\nb 300 A 192.0.2.2\n";

describe("bytes that are not text", () => {
  test.each<[string, Format, string, string]>([
    ["a zero octet in a name", "bind", `a\0b 300 A 192.0.2.1\n${records}`, "2 records, control-octet"],
    ["a zero octet in a text", "bind", `a 300 TXT "x\0y"\n${records}`, "3 records"],
    ["a zero octet in an address", "bind", `c 300 A 192.0.2\0.1\n${records}`, "2 records, control-octet"],
    ["a zero octet in a type", "bind", `c 300 A\0 192.0.2.1\n${records}`, "2 records, control-octet"],
    ["a zero octet alone on its line", "bind", `\0\n${records}`, "2 records, control-octet"],
    ["only zero octets", "bind", "\0\0\0\0", "0 records, encoding"],
    ["half a character in a name", "bind", `\u00c3 300 A 192.0.2.1\n${records}`, "3 records"],
    ["half a character before an error", "bind", `\u00c3\u00c3 300 A x\n${records}`, "2 records, address-v4"],
    ["UTF-16", "bind", "\u00ff\u00fea\0 \0A\0", "0 records, encoding"],
    ["a zero octet", "yaml", "records: { a: { TXT: 'x\0y' } }", "1 records"],
    ["half a character", "yaml", "records: { a: { TXT: '\u00c3' } }", "1 records, encoding"],
    ["UTF-16", "yaml", "\u00ff\u00fea\0:\0 \x001\0", "0 records, encoding"],
    ["a zero octet", "octodns", "a: { type: TXT, value: 'x\0y' }", "1 records"],
    ["half a character", "octodns", "a: { type: TXT, value: '\u00c3' }", "1 records, encoding"],
  ])("%s, %s", (_, format, text, expected) => {
    expect(gist(format, text)).toBe(expected);
  });
});

describe("lines of a megabyte", () => {
  const long = "x".repeat(megabyte);
  const many = (part: string) => part.repeat(megabyte / part.length);

  test.each<[string, Format, string, string]>([
    ["a name", "bind", `${long} 300 A 192.0.2.1\n${records}`, "2 records, name-syntax"],
    ["a name of labels", "bind", `${many("a.")} 300 A 192.0.2.1\n${records}`, "2 records, name-syntax"],
    ["a text", "bind", `a 300 TXT "${long}"\n${records}`, "2 records, text-too-long"],
    ["many strings", "bind", `a 300 TXT ${many("x ")}\n${records}`, "2 records, text-too-long"],
    ["a comment", "bind", `; ${long}\n${records}`, "2 records"],
    ["a setting", "bind", `;@ description: ${long}\n${records}`, "2 records"],
    ["a quote that never ends", "bind", `a 300 TXT "${long}\n${records}`, "2 records, quote"],
    ["open parentheses", "bind", `a 300 A ${many("(")}\n${records}`, "2 records, parenthesis"],
    ["closing parentheses", "bind", `a 300 A ${many(")")}\n${records}`, "2 records, parenthesis"],
    ["backslashes", "bind", `a 300 TXT ${many("\\")}\n${records}`, "2 records, text-too-long"],
    ["white space", "bind", `${many(" ")}\n${records}`, "2 records"],
    ["parts", "bind", `a 300 A 192.0.2.3 ${many("1 ")}\n${records}`, "2 records, rdata-extra"],
    ["octets", "bind", `a 300 A \\# 4 ${many("0a")}\n${records}`, "2 records, rdata-wire"],
    ["a key in base64", "bind", `a 300 DNSKEY 257 3 13 ${many("AAAA")}\n${records}`, "2 records, rdata-length"],
    ["parameters", "bind", `a 300 SVCB 1 . ${many("key667=x ")}\n${records}`, "2 records, rdata-length"],
    ["types", "bind", `a 300 NSEC b ${many("A ")}\n${records}`, "3 records"],
    ["a class and its like", "bind", `a ${many("IN ")}\n${records}`, "2 records, class"],
    ["a $GENERATE", "bind", `$GENERATE 1-9 a$ 300 TXT ${many("$")}\n${records}`, "2 records, text-too-long"],
    ["a text", "yaml", `description: ${long}`, "0 records"],
    ["a record's text", "yaml", `records: { a: { TXT: ${long} } }`, "0 records, text-too-long"],
    ["open brackets", "yaml", many("["), "0 records, yaml-too-large"],
    ["open braces", "yaml", many("{"), "0 records, yaml-too-large"],
    ["dashes", "yaml", many("- "), "0 records, yaml-too-large"],
    ["a list", "yaml", `tags: [${many("a, ").repeat(4)}a]`, "0 records, yaml-too-large"],
    ["a text", "octodns", `a: { type: TXT, value: ${long} }`, "0 records, text-too-long"],
    ["open brackets", "octodns", many("["), "0 records, yaml-too-large"],
  ])("%s, %s", (_, format, text, expected) => {
    expect(gist(format, text)).toBe(expected);
  });
});

describe("small files that expand greatly", () => {
  const letters = [..."abcdefghijklm"];
  const tenfold = (last: string) =>
    letters.map((letter, index) => {
      const before = letters[index - 1];
      return `${letter}: &${letter} [${Array.from({ length: 10 }, () => (before ? `*${before}` : last)).join(", ")}]\n`;
    });
  const merged = letters.map((letter, index) => {
    const before = letters.slice(0, index).map((other) => `*${other}`);
    return `${letter}: &${letter} { <<: [${[...before, ...before].join(", ")}], k${letter}: 1 }\n`;
  });

  test.each<[string, Format, string, string]>([
    ["aliases of lists", "yaml", tenfold("x").join(""), "0 records, yaml-too-large"],
    [
      "aliases of values",
      "yaml",
      `records:\n  a:\n    TXT: &v [${"x, ".repeat(300)}x]\n${Array.from({ length: 300 }, (_, n) => `  b${n}: { TXT: *v }\n`).join("")}`,
      "90601 records",
    ],
    ["aliases of merged maps", "yaml", merged.join(""), "0 records, yaml-too-large"],
    ["aliases", "octodns", tenfold("192.0.2.1").join(""), "0 records, yaml-too-large"],
    ["an alias inside its own anchor", "yaml", "records: &a { b: *a }", "0 records, yaml-alias"],
    ["a $GENERATE", "bind", `$TTL 1h\n$GENERATE 0-2147483647 a$ A 192.0.2.1\n${records}`, "2 records, generate-count"],
    ...(isNightly ? hugeGenerates : []),
    [
      "a $GENERATE of long texts",
      "bind",
      `$TTL 1h\n$GENERATE 1-1000000 a$ TXT ${"$".repeat(20000)}\n`,
      "0 records, text-too-long",
    ],
    [
      "a $GENERATE of wide numbers",
      "bind",
      `$TTL 1h\n$GENERATE 1-1000000 \${0,9999999}.a A 192.0.2.1\n`,
      "0 records, generate-format",
    ],
    ["endless faults", "bind", "a A\n".repeat(100_000), "0 records, field-missing, too-many-errors"],
  ])("%s, %s", (_, format, text, expected) => {
    // The judge would take its time with each of a million records; a slice of the long run shows it many of such
    // files.
    const read = (form: Format, bytes: Uint8Array) =>
      readers[form]({ file: "much", bytes, origin: domainName("example.") });
    expect(gist(format, text, read)).toBe(expected);
  });
});
