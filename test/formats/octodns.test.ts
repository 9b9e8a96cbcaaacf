import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { formatProblem } from "../../src/diagnostics/frame.ts";
import { hasErrors } from "../../src/diagnostics/problem.ts";
import { SourceText } from "../../src/diagnostics/source-text.ts";
import { canonical, type RecordList } from "../../src/dns/zone/zone.ts";
import { originOf } from "../../src/formats/files.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { realZones } from "../real-zones.ts";
import { readBind, readOctodns, recordsText, writeBind } from "./api.ts";
import { compileZone, withoutImplicit } from "./named.ts";

const cases = resolve(import.meta.dirname, "../cases/octodns");

describe("valid octoDNS files", () => {
  const folder = join(cases, "ok");

  test.each(yamlFiles(folder))("%s: records and problems", async (file) => {
    const { zone, problems } = read(folder, file);
    expect(problems.filter((found) => hasErrors([found]))).toEqual([]);
    const text = `${recordsText([zone])}${saidIn(folder, file)}`;
    await expect(text).toMatchFileSnapshot(join(folder, file.replace(".yaml", ".records")));
  });
});

describe.skipIf(isMissing("named-compilezone"))("BIND reads the exported files the same", () => {
  const folder = join(cases, "ok");

  test.each(yamlFiles(folder))("%s", async (file) => {
    const all = read(folder, file).zone;
    const zone = { ...all, records: all.records.filter(({ type }) => type !== "ALIAS") }; // BIND does not know it
    const written = Buffer.from(writeBind(zone, { nameservers: [domainName("ns1.example.net.")] }));
    const { records, messages } = await compileZone(zone.name, written);
    expect(records && withoutImplicit(zone, records), messages).toBe(recordsText([zone]));
  });
});

test("a record without TTL gets default_ttl of the provider's config", () => {
  const file = {
    file: "example.yaml",
    bytes: Buffer.from("a: { type: A, value: 192.0.2.1 }"),
    origin: domainName("example."),
  };
  expect(readOctodns(file).zone.records.map(({ ttl }) => ttl)).toEqual([3600]);
  expect(readOctodns({ ...file, defaultTtl: 300 }).zone.records.map(({ ttl }) => ttl)).toEqual([300]);
});

test("shows a missing key or type name as such", () => {
  const bytes = Buffer.from('a: { type: A, value: 192.0.2.1, "": { proxied: true } }\n');
  const { problems } = readOctodns({ file: "example.yaml", bytes, origin: domainName("example.") });
  expect(problems.map(({ summary }) => summary)).toEqual([
    'keys for octoDNS and its providers are skipped; only the plain values beside them are read: ""',
  ]);
});

/** As PyYAML 6.0 and Python 3 judge them: `bool(yaml.safe_load(text)["octodns"]["ignored"])`. */
test.each([
  ...["true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "1", "-1", "0x1", "0.5", "y", "tRUE", "fALSE"],
  ...['"true"', '"false"', "'no'", "'0'", "[x]", "{ a: b }", "nULL", "0b", ".", "2001-01-01"],
])("octoDNS ignores an RRset with ignored: %s", (value) => {
  expect(recordsWithIgnored(value)).toBe(0);
});

test.each([
  ...["false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "0", "-0", "00", "0x0", "0b0", "0.0", ".0"],
  ...["0.0e+5", "~", "null", "Null", "NULL", "", '""', "''", "[]", "{}"],
])("octoDNS keeps an RRset with ignored: %s", (value) => {
  expect(recordsWithIgnored(value)).toBe(1);
});

function recordsWithIgnored(value: string): number {
  const text = `a:\n  type: A\n  value: 192.0.2.1\n  octodns:\n    ignored: ${value}\n`;
  const { zone } = readOctodns({ file: "example.yaml", bytes: Buffer.from(text), origin: domainName("example.") });
  return zone.records.length;
}

/** Modules of providers (github.com/octodns) and the ids that their documentation gives them. */
const providers = [
  "azure",
  "azuredns",
  "bunny",
  "cloudflare",
  "constellix",
  "desec",
  "digitalocean",
  "dnsimple",
  "dnsmadeeasy",
  "easydns",
  "edgecenter",
  "edgedns",
  "gandi",
  "gcore",
  "googlecloud",
  "hetzner",
  "mythicbeasts",
  "ns1",
  "ovh",
  "powerdns",
  "rackspace",
  "route53",
  "scaleway",
  "selectel",
  "spf",
  "transip",
  "ultra",
];

test("provider keys of a record give one warning, misspelled keys an error", () => {
  const set = (keys: string) => {
    const bytes = Buffer.from(`a: { type: A, value: 192.0.2.1, octodns: { lenient: true }, ${keys} }\n`);
    const { zone, problems } = readOctodns({ file: "example.yaml", bytes, origin: domainName("example.") });
    expect(zone.records.map(canonical)).toEqual(["192.0.2.1"]);
    return problems.map(
      ({ severity, id: rule, summary, fix }) => `${severity} ${rule}: ${summary}${fix ? ` | ${fix}` : ""}`,
    );
  };
  const left =
    "warning provider-specific: keys for octoDNS and its providers are skipped; only the plain values beside them are read: octodns";
  const fix = " | Remove them when octoDNS no longer reads the file.";
  expect(set(providers.map((key) => `${key}: { proxied: true }`).join(", "))).toEqual([
    [left, ...providers].join(", ") + fix,
  ]);
  const slips = ["tll", "valeus", "vlaue", "tpye", "octdns", "dynamics", "healthchek"];
  expect(set(slips.map((key) => `${key}: 300`).join(", "))).toEqual([
    ...["ttl", "values", "value", "type", "octodns", "dynamic", "healthcheck"].map(
      (known, index) =>
        `error unknown-key: a: "${slips[index]}" is not a key of a record set | Did you mean "${known}"?`,
    ),
    left + fix,
  ]);
});

describe("invalid octoDNS files", () => {
  const folder = join(cases, "ko");

  test.each(yamlFiles(folder))("%s: problems", async (file) => {
    const { problems } = read(folder, file);
    expect(hasErrors(problems)).toBe(true);
    await expect(saidIn(folder, file)).toMatchFileSnapshot(join(folder, file.replace(".yaml", ".txt")));
  });
});

describe(realZones.name, () => {
  const { bind, octodns, octodnsFiles, count } = realZones;
  const zones = octodnsFiles.map((file) => ({ file, ...read(octodns, file) }));

  test("reads all, and reports only provider-specific keys", () => {
    expect(zones.length).toBe(count);
    const said = zones.flatMap(({ problems }) =>
      problems.map(({ severity, summary }) => `${severity} ${summary.replace(/ \(\d+ times\)/, "")}`),
    );
    expect([...new Set(said)]).toEqual([
      "warning record sets of provider-specific types are skipped: Route53Provider/ALIAS",
    ]);
  });

  test("each has the records of its master file", () => {
    for (const { file, zone } of zones) {
      const path = join(bind, file.replace(/yaml$/, "zone"));
      const master = readBind({ file: path, bytes: readFileSync(path), origin: zone.name }).zone;
      const { ttl_sec } = master.settings;
      const of = (records: RecordList) =>
        records
          .filter(({ type }) => type !== "SOA")
          .map((record) => `${record.owner} ${record.ttl ?? ttl_sec} ${record.type} ${canonical(record)}`.toLowerCase())
          .sort();
      expect({ file, records: of(zone.records) }).toEqual({ file, records: of(master.records) });
    }
  });
});

function yamlFiles(folder: string): string[] {
  return readdirSync(folder).filter((file) => file.endsWith(".yaml"));
}

function read(folder: string, file: string) {
  const origin = folder.startsWith(cases) ? domainName("example.") : originOf(file);
  return readOctodns({ file, bytes: readFileSync(join(folder, file)), origin });
}

function saidIn(folder: string, file: string): string {
  const source = new SourceText(file, readFileSync(join(folder, file), "utf8"));
  const { problems } = read(folder, file);
  const texts = problems.map((found) => formatProblem(found, ({ line }) => source.line(line)));
  return texts.length > 0 ? `${texts.join("\n\n")}\n` : "";
}
