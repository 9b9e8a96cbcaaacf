// @suite long

import { describe, expect, test } from "vitest";
import type { Problem, Severity } from "../../src/diagnostics/problem.ts";
import { SourceText } from "../../src/diagnostics/source-text.ts";
import type { RdataByType } from "../../src/dns/types/index.ts";
import type { Zone, ZoneRecord } from "../../src/dns/zone/zone.ts";
import type { FolderFormat, FormatName } from "../../src/formats/readers.ts";
import { readTree } from "../../src/formats/yaml/tree.ts";
import { domainName } from "../names.ts";
import { type ApiFile, folderFormats, formats } from "./api.ts";

const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join("\n");

describe("a file full of errors: reports the first 200 and that more follow", () => {
  const host = (n: number) => `h${n}`;

  test.each<[string, string, FormatName | FolderFormat, Severity?]>([
    ["in records", `$TTL 1h\n${lines(1000, (n) => `h${n} A 192.0.2.256`)}\n`, "bind"],
    ["in comments", `${lines(1000, (n) => `;@ setting: ${n}`)}\n`, "bind"],
    ["in owners outside the zone", `$TTL 1h\n${lines(1000, (n) => `h${n}.example.net. A 192.0.2.1`)}\n`, "bind"],
    ["in TTLs of a set", `$TTL 1h\n${lines(1000, (n) => `h ${n + 1} A 192.0.2.${n % 250}`)}\n`, "bind"],
    ["in quotes", lines(1000, (n) => `h${n} TXT "open`), "bind"],
    ["in parentheses", lines(1000, (n) => `h${n} TXT ( open`), "bind"],
    ["in records of YAML", `records:\n${lines(1000, (n) => `  ${host(n)}: { A: 192.0.2.256 }`)}\n`, "yaml"],
    ["in keys of YAML", `${lines(1000, (n) => `setting${n}: 1`)}\n`, "yaml"],
    ["in the tree of YAML", `records:\n${lines(1000, () => "  h: { A: 192.0.2.1 }")}\n`, "yaml"],
    ["in records of octoDNS", `${lines(1000, (n) => `${host(n)}: { type: A, value: 192.0.2.256 }`)}\n`, "octodns"],
  ])("%s", (_, text, format) => {
    const { problems } = { ...formats, ...folderFormats }[format].read(fileOf(text));
    expect(problems.length).toBe(201);
    expect(problems.at(-1)).toMatchObject({
      id: "too-many-errors",
      kind: "input",
      severity: "error",
      summary: "only the first 200 problems are shown",
      place: { line: text.trimEnd().split("\n").length },
    });
  });
});

describe("YAML", () => {
  test.each<[string, string, string, string]>([
    ["brackets", "[".repeat(100_000), "yaml-too-large", "the YAML is nested more than 100 levels deep"],
    ["braces", "{a: ".repeat(50_000), "yaml-too-large", "the YAML is nested more than 100 levels deep"],
    ["lists", "- ".repeat(50_000), "yaml-too-large", "the YAML is nested more than 100 levels deep"],
    [
      "indentation",
      lines(2000, (n) => `${" ".repeat(n)}a:`),
      "yaml-too-large",
      "the YAML is nested more than 100 levels deep",
    ],
    [
      "101 lists",
      `records: ${"[".repeat(101)}${"]".repeat(101)}`,
      "yaml-too-large",
      "the YAML is nested more than 100 levels deep",
    ],
    [
      "aliases of aliases",
      lines(20, (n) => (n === 0 ? "a0: &a0 [x, x]" : `a${n}: &a${n} [${`*a${n - 1}, `.repeat(10)}]`)),
      "yaml-too-large",
      "aliases expand to more than 100000 nodes or 100 levels",
    ],
  ])("rejects endless nesting: %s", (_, text, rule, summary) => {
    expect(read("yaml", text).problems.map(({ id: rule, summary }) => ({ rule, summary }))).toEqual([
      { rule, summary },
    ]);
  });

  test("reads 10,000 aliases of one RRset", () => {
    const text = `records:\n  a: &a { A: 192.0.2.1 }\n${lines(10_000, (n) => `  h${n}: *a`)}\n`;
    const { zone, problems } = read("yaml", text);
    expect([zone.records.length, problems]).toEqual([10_001, []]);
  });

  test("reads 30,000 names without an alias: only aliases are limited", () => {
    const { zone, problems } = read("yaml", `records:\n${lines(30_000, (n) => `  h${n}: { A: 192.0.2.1 }`)}\n`);
    expect([zone.records.length, problems]).toEqual([30_000, []]);
  });

  test("reads a zone in one line", () => {
    const owners = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, n) => [`h${n}`, { A: ["192.0.2.1", "192.0.2.2"] }]),
    );
    const { zone, problems } = read("yaml", JSON.stringify({ records: owners }));
    expect([zone.records.length, problems]).toEqual([20_000, []]);
  });
});

test.each(Object.keys(formats) as FormatName[])("writes and reads a zone of many records as %s", (format) => {
  const count = format === "yaml" ? 20_000 : 150_000;
  const records = Array.from(
    { length: count },
    (_, n): ZoneRecord => ({
      owner: domainName(`h${n}.example.`),
      type: "A",
      ttl: undefined,
      data: { address: "192.0.2.1" } satisfies RdataByType["A"],
    }),
  );
  const zone: Zone = {
    name: domainName("example."),
    settings: { ttl_sec: 3600 },
    records,
    places: {},
    dotlessTargets: [],
  };
  const again = read(format, formats[format].write(zone, { nameservers: [domainName("ns1.example.net.")] }));
  expect([again.zone.records.length, again.problems]).toEqual([count, []]);
});

test("a word of megabytes is one quick error", () => {
  const word = "x".repeat(3_000_000);
  expect(read("bind", `$TTL 1h\na ${word} x\n`).problems.map(({ id }) => id)).toEqual(["unknown-type"]);
  expect(read("yaml", `records: { a: { ${word}: x } }`).problems.map(({ id }) => id)).toEqual(["unknown-type"]);
});

function read(format: FormatName, text: string) {
  return formats[format].read(fileOf(text));
}

function fileOf(text: string): ApiFile {
  return { file: "zone", bytes: Buffer.from(text), origin: domainName("example.") };
}

test("a plain YAML file may have more tokens than the YAML library could read, for a zone of a million names", () => {
  const text = lines(900_000, (n) => `h${n}: 1`);
  const problems: Problem[] = [];
  const tree = readTree(new SourceText("a.yaml", text), (found) => problems.push(found));
  expect([tree?.root.kind === "map" && tree.root.entries.length, problems]).toEqual([900_000, []]);
});
