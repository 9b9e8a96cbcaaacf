import { afterEach, expect, test, vi } from "vitest";
import { Lexer, Parser } from "yaml";
import { TokenTable } from "../../src/dns/rdata/token-table.ts";
import { Scanner } from "../../src/formats/kit/scan.ts";
import { domainName } from "../names.ts";
import { formatCanonical, formatFile } from "./api.ts";

/** The work of formatting per record, counted and not timed: it must not depend on the number of records. */

afterEach(() => {
  vi.restoreAllMocks();
});

const head = "$TTL 1h\n@ IN SOA ns1 hostmaster 1 14400 3600 1209600 3600\n";
const masterFile = (count: number) =>
  head +
  Array.from({ length: count }, (_, index) => `host${index}   A   192.0.2.${index % 256} ; number ${index}\n`).join("");
const yamlFile = (count: number) =>
  `records:\n${Array.from({ length: count }, (_, index) => `  host${index}:\n    a: 192.0.2.${index % 256} # number ${index}\n`).join("")}`;

function costOf(form: "bind" | "yaml", text: string) {
  const entries = vi.spyOn(Scanner.prototype, "next");
  const tokens = vi.spyOn(TokenTable.prototype, "add");
  const parses = vi.spyOn(Parser.prototype, "parse");
  const lexes = vi.spyOn(Lexer.prototype, "lex");
  const bytes = formatFile({ file: "example", bytes: Buffer.from(text), origin: domainName("example.") }, form);
  const cost = {
    entries: entries.mock.calls.length,
    tokens: tokens.mock.calls.length,
    parses: parses.mock.calls.length,
    lexes: lexes.mock.calls.length,
  };
  vi.restoreAllMocks();
  return { bytes, cost };
}

test("a master file: scans each record exactly three times, regardless of their number", () => {
  const [small, large] = [costOf("bind", masterFile(200)).cost, costOf("bind", masterFile(400)).cost];
  // To read it; and to compare the result, once for comments and once for the data of records.
  expect((large.entries - small.entries) / 200).toBe(3);
  // Three scans of three tokens.
  expect((large.tokens - small.tokens) / 200).toBe(9);
});

/** An anchor, so that only the YAML library reads the file. */
const anchor = "ttl_sec: &ttl 1h\n";

test("a YAML file: parses once to read and write, once to check, regardless of size", () => {
  const [small, large] = [costOf("yaml", anchor + yamlFile(20)).cost, costOf("yaml", anchor + yamlFile(200)).cost];
  expect(large).toEqual({ ...small, entries: large.entries, tokens: large.tokens });
  // Each parse has a lexer; the comments before and after and the white space take one more each.
  expect(small).toMatchObject({ parses: 2, lexes: 5 });
});

test("a plain YAML file: the library only looks for its white space", () => {
  expect(costOf("yaml", yamlFile(20)).cost).toMatchObject({ parses: 0, lexes: 1 });
});

test.each<["bind" | "yaml", "bind" | "yaml", number]>([
  ["yaml", "yaml", 2],
  ["yaml", "bind", 1],
  ["bind", "yaml", 1],
])("%s to %s in canonical order: parses each text once if there are no comments", (from, to, parses) => {
  const spy = vi.spyOn(Parser.prototype, "parse");
  const text = (from === "bind" ? masterFile(50) : yamlFile(50)).replace(/ [;#] number \d+/g, "");
  const { lost } = formatCanonical(
    { file: "example", bytes: Buffer.from(text), origin: domainName("example.") },
    from,
    to,
    {},
  );
  expect([spy.mock.calls.length, lost]).toEqual([parses, []]);
});

test.each(["bind", "yaml"] as const)("does not read a %s file in normal form again", (form) => {
  const { bytes, cost } = costOf(form, form === "bind" ? masterFile(200) : anchor + yamlFile(200));
  const again = costOf(form, Buffer.from(bytes).toString());
  expect(again.bytes).toEqual(bytes);
  expect([
    again.cost.entries < cost.entries * 0.7 || form === "yaml",
    again.cost.parses < cost.parses || form === "bind",
  ]).toEqual([true, true]);
});
