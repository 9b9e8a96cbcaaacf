import zonefile from "dns-zonefile";
import { expect, test } from "vitest";
import { rdataText } from "../../src/dns/zone/zone.ts";
import { isMissing } from "../judges.ts";
import { readForeign } from "./foreign.ts";
import { compileZone, normal } from "./named.ts";

const head = {
  $origin: "example.com.",
  $ttl: 3600,
  soa: { name: "@", mname: "ns1", rname: "h", serial: 7, refresh: 3600, retry: 600, expire: 604800, minimum: 300 },
  ns: [{ name: "@", host: "ns1.example.net." }],
};

/** A valid record of each type. */
const valid: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  a: { name: "www", ttl: 300, ip: "192.0.2.1" },
  cname: { name: "www", alias: "shop" },
  mx: { name: "www", preference: 10, host: "mail" },
  txt: { name: "www", ttl: 300, txt: '"text"' },
  srv: { name: "_s._tcp", target: "sip", priority: 1, weight: 2, port: 5060 },
  caa: { name: "www", flags: 0, tag: "issue", value: '"ca.test"' },
  ds: { name: "sub", key_tag: "1", algorithm: "13", digest_type: "2", digest: "ab".repeat(32) },
};

const numbers = "ttl preference priority weight port flags key_tag algorithm digest_type".split(" ");
const others = { list: ["192.0.2.1"], object: { a: "b" }, null: null, number: 5, boolean: true };

/** Values of the wrong types, for each field of each record. */
const wrong = Object.entries(valid).flatMap(([type, record]) =>
  Object.keys(record).flatMap((field) =>
    Object.entries(others)
      .filter(([kind]) => !(kind === "number" && numbers.includes(field)) && !(kind === "null" && field === "name"))
      .map(([kind, value]) => [kind, field, type, value] as const),
  ),
);

test.each(wrong)("%s as %s of %s is lost, at its place", (_, field, type, value) => {
  const record = { ...valid[type], [field]: value };
  const text = JSON.stringify({ ...head, [type]: [valid[type], record] });
  const { zones } = readForeign("any.json", text);
  const [zone] = zones;
  const start = text.lastIndexOf(`"${field}":`) + `"${field}":`.length + 1;
  expect(zone?.unread).toMatchObject([
    { type: type.toUpperCase(), reason: expect.stringContaining(`"${field}" is `), place: { line: 1, column: start } },
  ]);
  expect(zone?.records.filter(({ type: other }) => other === type.toUpperCase())).toHaveLength(1);
});

test("numbers are read in every spelling of JSON, as the package reads them", () => {
  const text = JSON.stringify({ ...head, mx: [valid.mx] }).replace('"preference":10', '"preference":1e1,"ttl":3.6E3');
  const [zone] = readForeign("any.json", text).zones;
  expect(zone?.unread).toEqual([]);
  expect(zone?.records.filter(({ type }) => type === "MX")).toMatchObject([{ ttl: 3600, data: { preference: 10 } }]);
});

const kept: readonly (readonly [type: string, field: string, value: unknown])[] = [
  ["a", "name", null],
  ["a", "name", ""],
  ["a", "name", "null"],
  ["a", "name", "true"],
  ["a", "name", "5"],
  ["a", "ttl", "300"],
  ["mx", "preference", "20"],
  ["ds", "key_tag", 7],
  ["txt", "name", null],
  ["txt", "txt", '"5"'],
  ["cname", "alias", "null"],
];

test.skipIf(isMissing("named-compilezone")).each(kept)(
  "%s with the %s %j is what BIND reads in the package's zone file",
  async (type, field, value) => {
    const zone = { ...head, [type]: [{ ...valid[type], [field]: value }] };
    const { zones } = readForeign("any.json", JSON.stringify(zone));
    const [read] = zones;
    expect([read?.unread, read?.problems]).toEqual([[], []]);
    const text = zonefile.generate(zone as Parameters<typeof zonefile.generate>[0]);
    const { records, messages } = await compileZone("example.com", Buffer.from(text));
    const imported = read?.records.map(
      (record) => `${record.owner} ${record.ttl ?? 3600} IN ${record.type} ${rdataText(record)}\n`,
    );
    expect(records, messages).toBe(normal((imported ?? []).join("")));
  },
);

test.each(Object.entries(others).filter(([kind]) => kind !== "number"))("%s as $ttl is an error", (_, value) => {
  const { zones } = readForeign("any.json", JSON.stringify({ ...head, $ttl: value }));
  expect(zones[0]?.problems).toMatchObject([{ id: "ttl-syntax", severity: "error", place: { line: 1 } }]);
});

test.each(Object.keys(valid))("null in the place of all %s records is no record, as in the package", (type) => {
  const { zones } = readForeign("any.json", JSON.stringify({ ...head, [type]: null }));
  expect([zones[0]?.unread, zones[0]?.problems, zones[0]?.records.length]).toEqual([[], [], 2]);
});
