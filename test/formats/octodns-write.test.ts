import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { nameKey, shownName } from "../../src/dns/name/name.ts";
import { isUtf8, splitText } from "../../src/dns/name/text.ts";
import {
  canonical,
  copyRecord,
  distinct,
  isType,
  rdataText,
  type Zone,
  type ZoneRecord,
} from "../../src/dns/zone/zone.ts";
import { originOf } from "../../src/formats/files.ts";
import { apexServers } from "../../src/formats/kit/implicit-records.ts";
import { zone as anyZone } from "../dns/arbitrary.ts";
import { isMissing, judgesFolder } from "../judges.ts";
import { domainName } from "../names.ts";
import { isNightly, samples, seed } from "../properties.ts";
import { realZones } from "../real-zones.ts";
import { readBind, readOctodns, recordsText, writeBind, writeOctodns } from "./api.ts";
import { type Compiled, compileZone, withoutImplicit } from "./named.ts";

function read(source: string, name = "example."): Zone {
  return readBind({ file: "example.zone", bytes: Buffer.from(source), origin: domainName(name) }).zone;
}

const pages = resolve(import.meta.dirname, "../cases/octodns/written");

test.each(readdirSync(pages).filter((file) => file.endsWith(".zone")))("writes %s", async (file) => {
  const { text, problems, omitted } = writeOctodns(read(readFileSync(join(pages, file), "utf8")));
  await expect(text).toMatchFileSnapshot(join(pages, file.replace(".zone", ".yaml")));
  const lines = problems.map(({ severity, id, summary }) => `${severity}[${id}] ${summary}\n`);
  if (omitted.length > 0) lines.push(`no place for ${omitted.join(", ")}\n`);
  await expect(lines.join("")).toMatchFileSnapshot(join(pages, file.replace(".zone", ".txt")));
});

/** A zone with a name for each valid line of the pages of record types. */
function zoneOfCases(): Zone {
  const folder = resolve(import.meta.dirname, "../cases/records");
  const lines = readdirSync(folder).flatMap((file) => {
    const type = file.replace(".txt", "").toUpperCase();
    const cases = readFileSync(join(folder, file), "utf8").matchAll(/^OK (.*?) => .*$/gm);
    return [...cases].map(([, rdata], index) => {
      const name = ["SRV", "URI"].includes(type) ? `_s._tcp.${type}${index}` : `${type}${index}`;
      return type === "SOA" || (type === "ALIAS" && index > 0)
        ? ""
        : `${type === "ALIAS" ? "@" : name} 300 IN ${type} ${rdata}\n`;
    });
  });
  return read(lines.join(""));
}

/** The zone as octoDNS contains it: one TTL for each name and type, each text split as usual, nothing twice. */
function asOctodns(zone: Zone, isWritten: (record: ZoneRecord) => boolean): Zone {
  const ttl = zone.settings.ttl_sec || 86400;
  const records = zone.records.filter((record) => record.type !== "SOA" && isWritten(record));
  const key = (record: ZoneRecord) => `${nameKey(record.owner)} ${record.type}`;
  const ttls = new Map<string, number>();
  for (const record of records)
    ttls.set(key(record), Math.min(ttls.get(key(record)) ?? Number.POSITIVE_INFINITY, record.ttl ?? ttl));
  return {
    ...zone,
    records: records.map((record) => {
      const data = isType(record, "TXT", "SPF") ? { strings: splitText(record.data.strings.join("")) } : record.data;
      return copyRecord(record, { ttl: ttls.get(key(record)), data });
    }),
  };
}

/** octoDNS's types (octodns.record.Record.registered_types), without those that no record of DNS has. */
const octodnsTypes =
  "A AAAA ALIAS CAA CNAME DNAME DS HTTPS LOC MX NAPTR NS OPENPGPKEY PTR SPF SRV SSHFP SVCB TLSA TXT URI".split(" ");

/**
 * Whether octoDNS can contain the record: texts are UTF-8, values of parameters need no quotes and none is `ech`, URIs
 * have no capital letters.
 */
function canContain(record: ZoneRecord): boolean {
  if (isType(record, "TXT", "SPF")) return isUtf8(record.data.strings.join(""));
  if (isType(record, "SVCB", "HTTPS")) return !/\\| ech\b|key.*"[^"]*[ ;()][^"]*"/.test(rdataText(record));
  if (isType(record, "URI")) return !/[A-Z]/.test(record.data.target);
  return octodnsTypes.includes(record.type);
}

const zones = [zoneOfCases(), ...fc.sample(anyZone, { ...samples(60), seed })];
const numbered = zones.map((zone, index) => [index, zone] as const);

test.each(numbered)("zone %i: what is written reads as the same, and the rest is reported", (_, zone) => {
  const written = writeOctodns(zone);
  const lost = distinct(
    [...zone.records],
    (record) => `${nameKey(record.owner)} ${record.type} ${canonical(record)}`,
  ).filter((record) => record.type !== "SOA" && !canContain(record));
  const reported = written.problems
    .filter(({ id, summary }) => id === "export-lost" && !summary.includes("cannot have a zone"))
    .map(({ summary }) => summary.split(" ").slice(0, 2).join(" ").replace(/:$/, ""));
  expect(reported.sort()).toEqual(lost.map(({ owner, type }) => `${shownName(owner)} ${type}`).sort());
  const bytes = Buffer.from(written.text);
  const { zone: again, problems } = readOctodns({ file: "x.yaml", bytes, origin: zone.name });
  expect(problems.filter(({ id }) => id !== "provider-specific")).toEqual([]);
  expect(recordsText([again])).toBe(recordsText([asOctodns(zone, canContain)]));
});

/** The records that octoDNS finds in the file of each zone, or its message. */
function readWithOctodns(zones: readonly Zone[]): (string[] | string)[] {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-octodns-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const args = zones.flatMap((zone, index) => {
    const files = join(folder, String(index));
    mkdirSync(files);
    writeFileSync(join(files, `${zone.name.toLowerCase()}yaml`), writeOctodns(zone).text);
    return [files, zone.name];
  });
  const python = join(judgesFolder, "venv", "bin", "python3");
  const env = { ...process.env, PYTHONUTF8: "1" };
  const script = join(import.meta.dirname, "octodns_records.py");
  const lines = execFileSync(python, [script, ...args], { encoding: "utf8", env, maxBuffer: 2 ** 28 });
  return lines
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe.skipIf(isMissing("octodns-validate", "named-compilezone"))("octoDNS finds the same records", () => {
  test("in generated zones", async () => {
    const found = readWithOctodns(zones);
    for (const [index, zone] of zones.entries()) {
      const lines = found[index];
      if (!Array.isArray(lines)) expect.fail(`zone ${index}: ${lines}`);
      const kept = asOctodns(zone, (record) => canContain(record) && record.type !== "ALIAS");
      const ours = await compileZone(zone.name, Buffer.from(writeBind(kept)));
      const ns = apexServers(kept).length > 0 ? [] : ["@ 300 IN NS ns1.example.net."];
      const file = [
        "@ 300 IN SOA . . 1 1 1 1 1",
        ...ns,
        ...lines.filter((line) => !line.includes(" IN ALIAS ")),
        "",
      ].join("\n");
      const its = await compileZone(zone.name, Buffer.from(file));
      const withoutSoa = { ...kept, records: kept.records.filter(({ type }) => type !== "SOA") };
      const of = ({ records, messages }: Compiled) => (records ? withoutImplicit(withoutSoa, records) : messages);
      // Flags of NAPTR ignore letter case, and octoDNS writes capitals.
      const flags = (text: string) => text.replaceAll(/(?<= NAPTR \d+ \d+ )"\w*"/g, (flags) => flags.toUpperCase());
      expect({ index, records: flags(of(its)) }).toEqual({ index, records: flags(of(ours)) });
    }
  });

  test(`octodns-validate accepts ${realZones.name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "zonewright-octodns-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const files = isNightly ? realZones.bindFiles : realZones.bindFiles.slice(0, 5);
    const names = files.map((file) => file.replace(/zone$/, ""));
    for (const name of names) {
      const bytes = readFileSync(join(realZones.bind, `${name}zone`));
      const { zone } = readBind({ file: name, bytes, origin: originOf(`${name}zone`) });
      const { text, problems } = writeOctodns(zone);
      expect(problems).toEqual([]);
      writeFileSync(join(folder, `${name}yaml`), text);
    }
    const program = join(judgesFolder, "venv", "bin", "octodns-validate");
    const provider = { class: "octodns.provider.yaml.YamlProvider", directory: folder, escaped_semicolons: true };
    // octoDNS accepts no record of a zone below another zone of its configuration.
    const depthOf = (name: string) => names.filter((other) => name.endsWith(`.${other}`)).length;
    for (const depth of new Set(names.map(depthOf))) {
      const together = names.filter((name) => depthOf(name) === depth);
      const zones = Object.fromEntries(together.map((name) => [name, { sources: ["files"], targets: ["copy"] }]));
      const config = { manager: { enabled: ["legacy"] }, providers: { files: provider, copy: provider }, zones };
      writeFileSync(join(folder, "config.json"), JSON.stringify(config));
      const { status, stdout, stderr } = spawnSync(program, ["--config-file", join(folder, "config.json")], {
        encoding: "utf8",
        env: { ...process.env, PYTHONUTF8: "1", PYTHONWARNINGS: "ignore" },
      });
      expect({ depth, status, text: stdout + stderr }).toEqual({ depth, status: 0, text: "" });
    }
  });
});
