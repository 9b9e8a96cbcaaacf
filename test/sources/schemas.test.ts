import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { excusable, rulebook, ruleSets, severitiesOf, yielding } from "../../src/cli/rulebook/rulebook.ts";
import { configJsonSchema } from "../../src/config/schema.ts";
import { planJsonSchema } from "../../src/planner/plan-schema.ts";
import { snapshotJsonSchema } from "../../src/provider/snapshot.ts";
import { zoneJsonSchema } from "../../src/sources/yaml/schema.ts";

const root = resolve(import.meta.dirname, "../..");
const sets = { api: "What the API can hold", dns: "What DNS asks for", practice: "What serves well" };
const switched = [
  ...ruleSets.map((id) => ({ id, why: sets[id], severities: severitiesOf(id) })),
  ...yielding.map((id) => ({ id, why: rulebook.get(id)?.why ?? "", severities: severitiesOf(id) })),
];
const schemas = {
  zone: zoneJsonSchema(excusable),
  config: configJsonSchema(switched),
  plan: planJsonSchema(),
  snapshot: snapshotJsonSchema(),
};

test.each(Object.entries(schemas))(
  "schemas/%s.schema.json is what the code says (npx vitest -u writes it anew)",
  async (name, schema) => {
    await expect(`${JSON.stringify(schema, undefined, 2)}\n`).toMatchFileSnapshot(
      join(root, `schemas/${name}.schema.json`),
    );
  },
);

/** Documents, and where the schema finds fault: the path of each, none for a good one. */
const zones: [text: string, faults: string[]][] = [
  ["{}", []],
  ["zone: example.com\nttl_sec: 1h\nrefresh_sec: 300\ntags: [a b]\naxfr_ips:\nrecords:", []],
  ["records: { www: { A: 192.0.2.1 } }", []],
  ["records: { www: { a: [192.0.2.1, { target: 192.0.2.2 }, { rdata: 192.0.2.3 }] } }", []],
  ["records: { www: { TXT: { ttl_sec: 5m, values: [one, [two, three], 4] } } }", []],
  ["records: { www: { lenient: [private-address], A: 10.0.0.1 } }", []],
  ["records: { www: { TYPE65534: '\\# 1 00', type300: '\\# 0' } }", []],
  ["records: { _sip._tcp: { SRV: { priority: 1, weight: 1, port: 1, target: a } } }", []],
  ["records: { '@': { CAA: { tag: issue, target: ca.example.net } } }", []],
  ["record: {}", [""]],
  ["ttl_sec: soon", ["ttl_sec"]],
  ["ttl_sec: -1", ["ttl_sec"]],
  ["type: primary", ["type"]],
  ["tags: { a: b }", ["tags"]],
  ["records: [www]", ["records"]],
  ["records: { www: 192.0.2.1 }", ["records/www"]],
  ["records: { www: { AA: 192.0.2.1 } }", ["records/www"]],
  ["records: { www: { A: { ttl: 5m, values: 192.0.2.1 } } }", ["records/www/A"]],
  ["records: { www: { A: { ttl_sec: 5x, values: 192.0.2.1 } } }", ["records/www/A"]],
  ["records: { www: { A: [[192.0.2.1]] } }", ["records/www/A"]],
  ["records: { _sip._tcp: { SRV: { priority: 1, weight: 1, target: a } } }", ["records/_sip._tcp/SRV"]],
  ["records: { '@': { MX: { priority: 65536, target: a } } }", ["records/@/MX"]],
  ["records: { '@': { MX: { priority: 1, exchange: a } } }", ["records/@/MX"]],
  ["records: { www: { lenient: [privat-address] } }", ["records/www/lenient"]],
  ["records: { www: { lenient: [cname-alone] } }", ["records/www/lenient"]],
];

const configs: [text: string, faults: string[]][] = [
  ["{}", []],
  ["api_url: https://api.example.com\nzones: [dns, lab]\ndefaults: { ttl_sec: 1H, tags: [web] }", []],
  ["rules: { practice: off, underscore-host: error, type-not-held: note, api: warning }", []],
  ["policy: { strict: true }\nnameservers: [ns1.example.net]", []],
  ["zone: dns", [""]],
  ["zones: []", ["zones"]],
  ["defaults: { ttl_sec: 1 hour }", ["defaults/ttl_sec"]],
  ["policy: { strict: 1 }", ["policy/strict"]],
  ["rules: { practise: off }", ["rules"]],
  ["rules: { private-address: no }", ["rules/private-address"]],
  ["rules: { type-not-held: off }", ["rules/type-not-held"]],
  ["rules: { cname-alone: note }", ["rules"]],
];

const hasValidator = spawnSync("python3", ["-c", "import jsonschema"]).status === 0;

/** The paths at which Python's jsonschema finds fault with each of the documents. */
function faults(schema: object, documents: unknown[]): string[][] {
  const program = [
    "import json, sys, jsonschema",
    "given = json.load(sys.stdin)",
    "jsonschema.Draft7Validator.check_schema(given['schema'])",
    "judge = jsonschema.Draft7Validator(given['schema'])",
    "found = [['/'.join(map(str, e.absolute_path)) for e in judge.iter_errors(d)] for d in given['documents']]",
    "print(json.dumps([sorted(set(paths)) for paths in found]))",
  ].join("\n");
  const out = execFileSync("python3", ["-c", program], {
    input: JSON.stringify({ schema, documents }, finite),
    encoding: "utf8",
  });
  return JSON.parse(out);
}

/** YAML's .inf is a number that JSON has not. */
function finite(_: string, value: unknown): unknown {
  return value === Number.POSITIVE_INFINITY ? Number.MAX_VALUE : value;
}

describe.skipIf(!hasValidator)("a JSON Schema validator", () => {
  const yaml = (text: string) => parse(text, { merge: true, uniqueKeys: false });

  test.each([
    ["zone", zones],
    ["config", configs],
  ] as const)("finds the faults of a %s and no other", (name, rows) => {
    const found = faults(schemas[name], rows.map(([text]) => yaml(text))); // biome-ignore format: one thought
    expect(rows.map(([text], index) => [text, found[index]])).toEqual(rows);
  });

  test("takes every zone file in YAML that is read without a fault, and the examples", () => {
    const files = ["test/cases/zones/ok", "zones"].flatMap((folder) =>
      readdirSync(join(root, folder)).flatMap((file) => (file.endsWith(".yaml") ? [join(folder, file)] : [])),
    );
    expect(files.length).toBeGreaterThan(15);
    const found = faults(schemas.zone, files.map((file) => yaml(readFileSync(join(root, file), "utf8")))); // biome-ignore format: one thought
    expect(files.filter((_, index) => found[index]?.length)).toEqual([]);
  });

  test("takes the examples of rules, also those that the reader takes and a rule refuses", () => {
    const texts = excusable.flatMap(({ example }) => (example ? [example.ok, example.ko] : []));
    expect(faults(schemas.zone, texts.map(yaml)).flat()).toEqual([]); // biome-ignore format: one thought
  });
});
