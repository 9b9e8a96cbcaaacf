import fc from "fast-check";
import { expect, test } from "vitest";
import { Document, parse, visit } from "yaml";
import { printPlain } from "../../src/formats/yaml/plain-text.ts";
import { printDocument, quoteUnusual } from "../../src/formats/yaml/render.ts";
import { zone } from "../dns/arbitrary.ts";
import { samples } from "../properties.ts";
import { writeYaml } from "./api.ts";

const plain = [
  "192.0.2.1",
  "2001:db8::1",
  "10 mail.example.net.",
  "v=spf1 include:_spf.example.net ~all",
  '0 issue "ca.example.net"',
  "_sip._tcp",
  "a\\.b",
  "1h",
  "1.2.3",
  "0xg",
  "nullify",
  "a,b [c] {d} *e &f !g %h @i `j |k >l",
];

const forLibrary = [
  ...[
    "",
    " a",
    "a ",
    "a: b",
    "a:",
    "a :b",
    "a #b",
    "a#b",
    "a  b",
    "a\tb",
    "a\nb",
    "é",
    "\u202e",
    "\u007f",
    "::notice::",
  ],
  ...[
    "@",
    "*",
    "-",
    "- a",
    "---",
    "?",
    "~",
    ".",
    "..",
    ".5",
    ".inf",
    "<<",
    "%a",
    "'a'",
    '"a"',
    "`a",
    "[a]",
    "{a}",
    "|",
  ],
  ...["null", "Null", "NULL", "true", "False", "0", "12", "0o7", "0x1f", "1.5", "1.", "1e5", "1.5E-3", "-1", "+1"],
];

test("strings of plain words are written directly, those that may need quotes are left to the library", () => {
  expect(plain.filter((text) => printPlain(text, "") !== text)).toEqual([]);
  expect(forLibrary.filter((text) => printPlain(text, "") !== undefined)).toEqual([]);
  expect(printPlain({ a: "b", c: [] }, "")).toBeUndefined();
  expect(printPlain({ "a: b": "c" }, "")).toBeUndefined();
});

test("maps and lists in maps and lists: the layout of the library", () => {
  const value = new Map<string, unknown>([
    ["A", "192.0.2.1"],
    ["TXT", [["a", "b"], "c"]],
    [
      "MX",
      [
        { ttl_sec: 61, values: ["10 a", "20 b"] },
        { ttl_sec: "1h", override: true, values: "30 c" },
      ],
    ],
  ]);
  expect(printPlain(new Map([["www", value]]), "  ")).toBe(`www:
    A: 192.0.2.1
    TXT:
      - - a
        - b
      - c
    MX:
      - ttl_sec: 61
        values:
          - 10 a
          - 20 b
      - ttl_sec: 1h
        override: true
        values: 30 c`);
});

const string = fc.oneof(
  fc.constantFrom(...plain, ...forLibrary),
  fc.string({ unit: fc.constantFrom(..."abX019_-. :#'\"\\,[]{}&*!|>%@`~?<=+e\t\né\u00a0\u2028"), maxLength: 6 }),
  fc.string({ unit: fc.constantFrom(..."abXeEox019_-.+: "), maxLength: 6 }),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    string,
    fc.nat(),
    fc.boolean(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(string, tie("value")), { maxLength: 3 }).map((pairs) => new Map(pairs)),
  ),
}));

test("values of any strings, if they are written directly: as the library writes them", () => {
  fc.assert(
    fc.property(string, value, (key, value) => {
      const text = printPlain(new Map([[key, value]]), "  ");
      if (text !== undefined) expect(`records:\n  ${text}\n`).toBe(libraryText(new Map([[key, value]])));
    }),
    samples(2000),
  );
});

test("records of any zone: as the library writes them", () => {
  fc.assert(
    fc.property(zone, (zone) => {
      const text = writeYaml(zone);
      const { records } = Object.fromEntries(parse(text, { mapAsMap: true, merge: true }));
      expect(text.slice(text.search(/^records:/m))).toBe(libraryText(records));
    }),
    samples(200),
  );
});

function libraryText(records: unknown): string {
  const document = new Document({}, { merge: true });
  document.set("records", document.createNode(records));
  visit(document, { Scalar: (_, scalar) => quoteUnusual(scalar) });
  return printDocument(document);
}
