import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ProblemError } from "../../src/diagnostics/problem.ts";
import { findRepeatedZones, findZoneFiles, originOf, skippedFileProblem } from "../../src/formats/files.ts";
import { formatOf } from "../../src/formats/formats.ts";
import { domainName } from "../names.ts";
import { readZoneFile } from "./api.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "zonewright-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["example.com.yaml", "example.com."],
  ["zones/deep/example.com.yml", "example.com."],
  ["example.com.zone", "example.com."],
  ["example.com.db", "example.com."],
  ["db.example.com", "example.com."],
  ["db.example.com.zone", "db.example.com."],
  ["0%2f25.2.0.192.in-addr.arpa.zone", "0/25.2.0.192.in-addr.arpa."],
  ["0%2F25.2.0.192.in-addr.arpa.yaml", "0/25.2.0.192.in-addr.arpa."],
  ["a%5c.b.example.yaml", "a\\.b.example."],
  ["Example.COM.yaml", "example.com."],
  ["example.com", "example.com."],
  ["2.0.192.in-addr.arpa.zone", "2.0.192.in-addr.arpa."],
  ["bücher.example.zone", "xn--bcher-kva.example."],
  ["two..dots.zone", "."],
  [".zone", "."],
  [`${"x".repeat(64)}.zone`, "."],
])("%s is named after the zone %s", (file, zone) => {
  expect(originOf(file)).toBe(zone);
});

test.each([
  ["a.yaml", "yaml"],
  ["a.yml", "yaml"],
  ["a.zone", "bind"],
  ["a.db", "bind"],
  ["a.txt", undefined],
  ["yaml", undefined],
])("%s is read as %s", (file, format) => {
  expect(formatOf(file)?.name).toBe(format);
});

describe("findZoneFiles", () => {
  test("finds them at any depth in name order, and reports other files", () => {
    for (const file of [
      "b.zone",
      "a.yaml",
      "deep/er/c.yml",
      "deep/d.db",
      "README.md",
      "notes.txt",
      ".git/x.zone",
      ".hidden.zone",
      "node_modules/y.zone",
    ])
      put(file);
    expect(found()).toEqual({
      files: ["zones/a.yaml", "zones/b.zone", "zones/deep/d.db", "zones/deep/er/c.yml"],
      others: ["zones/notes.txt"],
    });
  });

  test("follows links, but not in a circle", () => {
    put("shared/a.zone");
    mkdirSync(join(folder, "live"));
    symlinkSync(join(folder, "shared/a.zone"), join(folder, "live/b.zone"));
    symlinkSync(folder, join(folder, "live/up"));
    expect(found()).toEqual({ files: ["zones/live/b.zone", "zones/shared/a.zone"], others: [] });
  });

  test.each<[string, () => void, string]>([
    [
      "a folder that does not exist",
      () => rmSync(folder, { recursive: true }),
      "the zones folder zones cannot be read: it does not exist",
    ],
    [
      "a link that leads nowhere",
      () => symlinkSync("nowhere", join(folder, "a.zone")),
      "zones/a.zone cannot be read: it is a link to a file that does not exist",
    ],
  ])("rejects %s", (_, prepare, message) => {
    prepare();
    expect(found).toThrow(ProblemError);
    expect(found).toThrow(message);
  });
});

test("reason for a skipped file", () => {
  symlinkSync("/dev/null", join(folder, "example.net.yaml"));
  put("example.com.yam");
  expect(findZoneFiles(folder, "zones").others.map((other) => skippedFileProblem(other).summary)).toEqual([
    "zones/example.com.yam is skipped: the name of a zone file ends in .yaml, .yml, .zone, .db",
    "zones/example.net.yaml is skipped: it is not a regular file",
  ]);
});

describe("recognises the configuration of octoDNS by its content", () => {
  const config = "providers:\n  config: { class: octodns.provider.yaml.YamlProvider }\nzones:\n  example.com.: {}\n";
  test.each<[string, string, boolean]>([
    ["production.yaml", config, true],
    ["octodns.prod.yaml", config, true],
    ["deep/octodns.prod.eu.yaml", `---\n# ours\n${config}`, true],
    ["octodns.prod.yaml", '{ "providers": { "config": { "class": "x" } }, "zones": {} }', true],
    ["octodns.prod.yaml", "manager: {}\nzones: { '*': {} }\nproviders: !include providers.yaml\n", true],
    // A provider may be called like a key of record sets.
    ["octodns.prod.yaml", "providers: { type: { class: x } }\nzones:\n", true],
    ["example.com.yaml", "providers: { type: A, value: 192.0.2.1 }\nzones: { type: A, value: 192.0.2.1 }\n", false],
    ["internal.yaml", "providers: { type: A, value: 192.0.2.1 }\nzones: { type: A, value: 192.0.2.1 }\n", false],
    ["example.com.yaml", "providers: [{ type: A, value: 192.0.2.1 }]\nzones: {}\n", false],
    ["example.com.yaml", "providers: { config: {} }\n", false],
    ["example.com.yaml", "zones: {}\n", false],
    ["example.com.yaml", "www: { type: TXT, value: providers and zones }\n", false],
    ["example.com.yaml", "providers: {\nzones: {}\n", false],
  ])("%s with %j: %s", (file, text, isConfig) => {
    put(file, text);
    const { files, others } = findZoneFiles(folder, "zones", { format: "octodns" });
    expect(others.map((other) => skippedFileProblem(other).summary)).toEqual(
      isConfig ? [`zones/${file} is skipped: it is the configuration of octoDNS`] : [],
    );
    expect(files.map(({ file }) => file)).toEqual(isConfig ? [] : [`zones/${file}`]);
  });

  test("treats it as a normal file in a folder of another format", () => {
    put("octodns.prod.yaml", config);
    expect(found()).toEqual({ files: ["zones/octodns.prod.yaml"], others: [] });
  });
});

test("reports two files for one zone at the second, in any letter case", () => {
  put("example.com.yaml", "records: { www: { A: 192.0.2.1 } }");
  put("other.yaml", "# the same\nzone: Example.COM\n");
  put("third.zone", "$TTL 1h\n@ SOA . . 1 2 3 4 5\n");
  const zones = findZoneFiles(folder, "zones").files.map((ref) => readZoneFile(ref));
  expect(findRepeatedZones(zones)).toEqual([
    {
      id: "zone-twice",
      kind: "input",
      severity: "error",
      summary: 'zones/example.com.yaml and zones/other.yaml both contain the zone "example.com"',
      place: { file: "zones/other.yaml", line: 2, column: 7, length: 11 },
      fix: "Merge them, or correct the name of the zone in one of them.",
    },
  ]);
});

const soa = "SOA . . 1 2 3 4 5\n";

test.each([
  ["example.com.yaml", "records: {}", []],
  ["example.com.yaml", "zone: Example.COM", []],
  ["shop.yaml", "zone: example.com", []],
  ["example.com.internal.zone", `$TTL 1h\n$ORIGIN example.com.\n@ ${soa}`, []],
  ["db.example.com", `$TTL 1h\n@ ${soa}`, []],
  ["example.com.zone", `$TTL 1h\n$ORIGIN example.net.\n@ ${soa}`, ["3:1 example.com example.net"]],
  ["example.com.zone", `$TTL 1h\nsub ${soa}`, ["2:1 example.com sub.example.com"]],
  ["example.com.zone", `$TTL 1h\n$ORIGIN example.net\n@ ${soa}`, ["3:1 example.com example.net.example.com"]],
  ["example.com.yaml", "records: {}\nzone: example.org\n", ["2:7 example.com example.org"]],
])("%s with %j: warns if the zone differs from the file name", (file, text, expected) => {
  put(file, text);
  const { problems } = readZoneFile({ path: join(folder, file), file });
  expect(
    problems.map(
      ({ severity, id: rule, summary, place: at }) => `${severity} ${rule} ${at?.line}:${at?.column} ${summary}`,
    ),
  ).toEqual(
    expected.map((found) => {
      const [place, named, zone] = found.split(" ");
      return `warning zone-name-differs ${place} the file is named after "${named}", but its zone is "${zone}"`;
    }),
  );
});

test("reads a file with another ending as master file, with the zone named by the user", () => {
  put("hosts.txt", "$TTL 1h\nwww A 192.0.2.1\n");
  const ref = { path: join(folder, "hosts.txt"), file: "hosts.txt" };
  expect(readZoneFile(ref, domainName("example.")).zone.records.map(({ owner }) => owner)).toEqual(["www.example."]);
});

function found() {
  const { files, others } = findZoneFiles(folder, "zones");
  return { files: files.map(({ file }) => file), others: others.map(({ file }) => file) };
}

function put(file: string, text = ""): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}
