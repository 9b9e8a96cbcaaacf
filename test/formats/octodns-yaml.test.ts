import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { rdataText } from "../../src/dns/zone/zone.ts";
import { describeScalar, isPlain, readScalar } from "../../src/formats/octodns/yaml-1-1.ts";
import { isMissing, judgesFolder } from "../judges.ts";
import { domainName } from "../names.ts";
import { samples } from "../properties.ts";
import { readOctodns } from "./api.ts";

const python = join(judgesFolder, "venv/bin/python");

/** Scalars that the versions of YAML read differently, and others beside them. */
const scalars = [
  ..."010 0600 0x10 -0x1F 1_0 1_000 12:30 1:2:3 0b11 0b1_0 00 0_7 +5 -0".split(" "),
  ..."on On ON off yes Yes no NO true False y n null ~ = .inf".split(" "),
  ..."1.10 1.5 .5 1_000.5 12:30.5 1.e+5 0o10 1e3 089 08 1:60 0:30 5 300 2001-01-01 1.2.3.4".split(" "),
  ...['"010"', "'on'", '"12:30"', "!!str 010", "!!str on"],
];

/** Files with a scalar at one place, with their keys in the order that octoDNS requires. */
const places: Readonly<Record<string, (scalar: string) => string>> = {
  name: (scalar) => `${scalar}: { type: A, value: 192.0.2.1 }`,
  ttl: (scalar) => `a: { ttl: ${scalar}, type: A, value: 192.0.2.1 }`,
  text: (scalar) => `a: { type: TXT, value: ${scalar} }`,
  texts: (scalar) => `a: { type: TXT, values: [ok, ${scalar}] }`,
  preference: (scalar) => `a: { type: MX, value: { exchange: mx.example.com., preference: ${scalar} } }`,
  priority: (scalar) => `a: { type: MX, values: [{ priority: ${scalar}, value: mx.example.com. }] }`,
  port: (scalar) =>
    `_a._tcp: { type: SRV, value: { port: ${scalar}, priority: 1, target: a.example.com., weight: 2 } }`,
  field: (scalar) => `a: { type: CAA, value: { flags: 0, tag: issue, value: ${scalar} } }`,
  altitude: (scalar) =>
    `a: { type: LOC, value: { altitude: ${scalar}, lat_degrees: 1, lat_direction: N, lat_minutes: 2, lat_seconds: 3, long_degrees: 1, long_direction: E, long_minutes: 2, long_seconds: 3, precision_horz: 10, precision_vert: 10, size: 1 } }`,
  alias: (scalar) => `x: &x { ttl: ${scalar}, type: A, value: 192.0.2.1 }\ny: *x`,
};

const cases = scalars.flatMap((scalar) =>
  Object.entries(places).map(([place, write]) => ({ scalar, place, text: `${write(scalar)}\n` })),
);

function read(text: string) {
  const file = { file: "example.com.yaml", bytes: Buffer.from(text), origin: domainName("example.com.") };
  const { zone, problems } = readOctodns(file);
  const records = zone.records.map(
    (record) => `${record.owner} ${record.ttl} IN ${record.type} ${rdataText(record).replace(/^"(.*)"$/, "$1")}`,
  );
  return { records: [...records].sort(), problems };
}

test.skipIf(isMissing("octodns-validate"))(
  "octoDNS reads the same records, wherever a scalar of YAML 1.1 stands",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "zonewright-octodns-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const [index, { text }] of cases.entries()) {
      mkdirSync(join(folder, `${index}`));
      writeFileSync(join(folder, `${index}/example.com.yaml`), text);
    }
    const args = cases.flatMap((_, index) => [join(folder, `${index}`), "example.com."]);
    const script = join(import.meta.dirname, "octodns_records.py");
    const judged = execFileSync(python, [script, ...args], { encoding: "utf8" })
      .trim()
      .split("\n");
    expect(judged).toHaveLength(cases.length);
    const found = { read: 0, refused: 0 };
    for (const [index, { text, scalar, place }] of cases.entries()) {
      const own = read(text);
      const theirs: unknown = JSON.parse(judged[index] ?? "");
      // octoDNS does not check all numbers; negative ones exist in no record.
      if (!Array.isArray(theirs) || theirs.some((line) => / -\d/.test(line))) {
        found.refused++;
        continue;
      }
      if (own.problems.some(({ severity }) => severity === "error")) {
        // Both versions of YAML read these alike, but only Python takes them for whole numbers, or null for a text. A
        // preference and a port are never 1e5, which octoDNS does not check; and no altitude is true.
        if (place === "altitude") expect(scalar).toMatch(/^(?:on|off|yes|no|true|false|1e3)$/i);
        else expect(["true", "True", "False", "1.5", ".5", "null", "~", "1.e+5"]).toContain(scalar);
        continue;
      }
      found.read++;
      const normal = (lines: readonly string[]) => lines.map((line) => normalText(line));
      expect([text, normal(own.records)]).toEqual([text, normal(theirs)]);
      expect(own.problems.every(({ id, summary }) => id === "yaml-version" && summary.includes(scalar))).toBe(true);
    }
    expect(found.read).toBeGreaterThan(230);
  },
);

/** A record without quotes, escapes, and the spellings of numbers of LOC. */
function normalText(line: string): string {
  const [, head = "", data = ""] = /^(\S+ \d+ IN \S+) (.*)$/.exec(line) ?? [];
  const octets = data.replaceAll(/\\(\d{3})/g, (_, code) => String.fromCharCode(Number(code))).replaceAll('"', "");
  return `${head.toLowerCase()} ${octets.replaceAll(/(\d+)\.0+(?=m?\b)/g, "$1").replaceAll(/(\d+\.\d*?)0+(?=m)/g, "$1")}`;
}

test.each([
  ["name", "010", "is 8 in YAML 1.1, which octoDNS reads, and 10 in YAML 1.2", 'Write "8", or "010" in quotes'],
  ["ttl", "0600", "is 384 in YAML 1.1, which octoDNS reads, and 600 in YAML 1.2", 'Write 384, or "0600" in quotes'],
  ["preference", "0x10", 'is 16 in YAML, not the text "0x10"', "Write 16."],
  ["name", "-0x10", 'is -16 in YAML 1.1, which octoDNS reads, and "-0x10" in YAML 1.2', 'Write "-16", or "-0x10"'],
  ["name", "0x10", 'is 16 in YAML, not the text "0x10"', 'Write "16", or "0x10" in quotes if that is meant.'],
  [
    "name",
    "~",
    'is null in YAML, not the text "~"',
    'Write "~" in quotes: octoDNS reads the name "none" without them.',
  ],
  ["name", "Null", 'is null in YAML, not the text "Null"', 'Write "Null" in quotes: octoDNS reads the name "none"'],
  ["name", "1.10", 'is 1.1 in YAML, not the text "1.10"', 'Write "1.1", or "1.10" in quotes'],
  ["ttl", "1_0", 'is 10 in YAML 1.1, which octoDNS reads, and "1_0" in YAML 1.2', "Write 10."],
  ["text", "12:30", 'is 750 in YAML 1.1, which octoDNS reads, and "12:30" in YAML 1.2', 'Write "12:30" in quotes: '],
  ["texts", "on", 'is true in YAML 1.1, which octoDNS reads, and "on" in YAML 1.2', 'Write "on" in quotes: '],
  ["name", "on", 'is true in YAML 1.1, which octoDNS reads, and "on" in YAML 1.2', 'Write "true", or "on" in quotes'],
  ["text", "2001-01-01", 'is a date in YAML 1.1, which octoDNS reads, and "2001-01-01" in YAML 1.2', "Write "],
  ["alias", "0600", "is 384 in YAML 1.1, which octoDNS reads, and 600 in YAML 1.2", "Write 384, or"],
  ["text", "0o17", 'is the text "0o17" in YAML 1.1, which octoDNS reads, and 15 in YAML 1.2', 'Write "0o17" in'],
  ["name", "08", 'is the text "08" in YAML 1.1, which octoDNS reads, and 8 in YAML 1.2', 'Write "08" in quotes.'],
  ["texts", "1e3", 'is the text "1e3" in YAML 1.1, which octoDNS reads, and 1000.0 in YAML 1.2', 'Write "1e3" in'],
  ["text", "=", "is no text in YAML 1.1, and octoDNS refuses the file", 'Write "=" in quotes.'],
  ["field", "<<", "is no text in YAML 1.1, and octoDNS refuses the file", 'Write "<<" in quotes.'],
])("%s: %s gets one warning, which names both readings", (place, scalar, summary, fix) => {
  const { problems } = read(places[place]?.(scalar) ?? "");
  expect(problems).toMatchObject([
    {
      id: "yaml-version",
      severity: "warning",
      summary: expect.stringContaining(`${scalar} ${summary}`),
      fix: expect.stringContaining(fix),
      place: { line: 1, length: scalar.length },
    },
  ]);
});

test("a description names two readings only if the versions of YAML have two", () => {
  for (const scalar of new Set(cases.map(({ scalar }) => scalar))) {
    const own = readScalar(scalar);
    if (own === undefined) continue;
    const [one, two] = (["1.1", "1.2"] as const).map((version) => JSON.stringify(parse(scalar, { version })));
    expect([scalar, describeScalar(scalar, own).includes("YAML 1.2")]).toEqual([scalar, one !== two]);
  }
});

test.each(cases.filter(({ text }) => warningOf(text)))("$text: the advised forms get no warning", ({ text }) => {
  const found = warningOf(text);
  const { line, column, length = 0 } = found?.place ?? { line: 1, column: 1 };
  const lines = text.split("\n");
  const advised = [...`${found?.fix}`.matchAll(/(?:Write|or) ("[^"]*"|[-+\w.]*[\w])/g)].map(([, form = ""]) => form);
  expect(advised.length).toBeGreaterThan(0);
  for (const form of advised) {
    const fixed = lines.map((one, index) =>
      index === line - 1 ? one.slice(0, column - 1) + form + one.slice(column - 1 + length) : one,
    );
    expect([form, warningOf(fixed.join("\n"))]).toEqual([form, undefined]);
  }
});

function warningOf(text: string) {
  return read(text).problems.find(({ id }) => id === "yaml-version");
}

test("keys that are one name for octoDNS have one set of each type", () => {
  const { problems } = read("010: { type: A, value: 192.0.2.1 }\n8: { type: A, value: 192.0.2.2 }\n");
  expect(problems.map(({ id }) => id)).toEqual(["yaml-version", "duplicate-set"]);
});

const characters = "0123456789_:.+-eExXbBoOaAfFnNyYsStTrRuUiIlL~=";
const anyScalar = fc.oneof(
  fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 9 }),
  fc.string({ unit: fc.constantFrom(..."01_:.x"), minLength: 1, maxLength: 8 }),
  fc.double().map(String),
  fc.constantFrom(
    "yes",
    "YES",
    "yES",
    "on",
    "oN",
    "OFF",
    "True",
    "tRue",
    "Null",
    "nULL",
    "2001-1-1",
    "2001-12-14 1:02:03",
  ),
  fc
    .tuple(fc.constantFrom("", "-", "+"), fc.nat(), fc.constantFrom(".", ".0e+", ".e-", ":59", ":0"), fc.nat(30))
    .map((parts) => parts.join("")),
);

test.skipIf(isMissing("octodns-validate"))("PyYAML reads the same in any plain scalar", () => {
  const texts = fc
    .sample(anyScalar, { ...samples(3000), seed: 34 })
    .filter((text) => !/^[-?:]$|^-\s|^[=]$|:$/.test(text));
  const script = join(import.meta.dirname, "yaml_scalars.py");
  const judged: unknown[] = JSON.parse(
    execFileSync(python, [script], { input: JSON.stringify(texts), encoding: "utf8", maxBuffer: 2 ** 26 }),
  );
  const kinds = new Set<unknown>();
  for (const [index, text] of texts.entries()) {
    const theirs = judged[index];
    if (!Array.isArray(theirs)) continue;
    const [kind, value, integer] = theirs;
    kinds.add(kind);
    const own = readScalar(text);
    const time = /^date/.test(kind);
    const expected =
      kind === "str"
        ? undefined
        : { text: time ? own?.text : value, integer: time ? undefined : (integer ?? undefined) };
    expect([text, own && { text: own.text, integer: own.integer }]).toEqual([text, expected]);
  }
  expect([...kinds].sort()).toEqual(["NoneType", "bool", "datetime", "float", "int", "str"]);
});

test("a scalar in quotes or with the tag of a text is no plain one", () => {
  const at = (source: string, text: string) => {
    const start = source.indexOf(text);
    return isPlain({ start, end: start + text.length }, source);
  };
  expect([at("a: 010", "010"), at("a: &x 010", "010"), at('a: "010"', '"010"'), at("a: !!str 010", "010")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([at("a: !!str &x 010", "010"), at("a: ! 010", "010"), at("a: !!int 010", "010")]).toEqual([
    false,
    false,
    true,
  ]);
});
