import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { acksJsonSchema, configJsonSchema } from "../../src/config/schema.ts";
import { registry } from "../../src/diagnostics/registry.ts";
import { templateJsonSchema, zoneJsonSchema } from "../../src/formats/yaml/schema.ts";
import { guards } from "../../src/planner/blocks/guards.ts";
import { planJsonSchema, planSetJsonSchema } from "../../src/planner/plan-file/plan-schema.ts";
import { driftJsonSchema, driftsJsonSchema } from "../../src/report/drift/json.ts";
import { catalogJsonSchema } from "../../src/server/catalog/schema.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { snapshotJsonSchema } from "../../src/workflow/project/snapshot-target.ts";
import { adjustableRules, lowerableRules, ruleSets, severitiesOf } from "../../src/workflow/project/switchable.ts";
import { zone } from "../dns/arbitrary.ts";
import { titled } from "../titles.ts";
import { writeYaml } from "./api.ts";

const root = resolve(import.meta.dirname, "../..");
const sets = { api: "What the API can hold", dns: "What DNS asks for", practice: "What serves well" };
const switched = [
  ...ruleSets.map((id) => ({ id, why: sets[id], severities: severitiesOf(id) })),
  ...adjustableRules.map((id) => ({ id, why: registry[id].why, severities: severitiesOf(id) })),
];
const schemas = {
  zone: zoneJsonSchema(apiSettings, lowerableRules),
  template: templateJsonSchema(apiSettings, lowerableRules),
  config: configJsonSchema(apiSettings, switched),
  acks: acksJsonSchema(guards),
  plan: planJsonSchema(),
  plans: planSetJsonSchema(),
  snapshot: snapshotJsonSchema(),
  drift: driftJsonSchema(),
  drifts: driftsJsonSchema(),
  catalog: catalogJsonSchema(),
};

test.each(Object.entries(schemas))(
  "schemas/%s.schema.json is up to date (update with npx vitest -u)",
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
  ["records: { www: { lenient: [glue, { rule: private-address, targets: office }], A: 10.0.0.1 } }", []],
  ["records: { www: { lenient: { rule: private-address, targets: [office] }, A: 10.0.0.1 } }", []],
  ["records: { www: { TYPE65534: '\\# 1 00', type300: '\\# 0' } }", []],
  ["records: { _sip._tcp: { SRV: { priority: 1, weight: 1, port: 1, target: a } } }", []],
  ["records: { '@': { CAA: { tag: issue, target: ca.example.net } } }", []],
  ["records: { '@': { MX: [{ preference: 1, exchange: a }, { priority: 1, target: a }] } }", []],
  ["records: { '@': { MX: { exchange: a } } }", ["records/@/MX"]],
  ["records: { '@': { MX: { target: a } } }", ["records/@/MX"]],
  [
    "records: { '@': { A: { address: 192.0.2.1 }, TXT: { strings: [a, b] }, CAA: { tag: issue, value: a.example } } }",
    [],
  ],
  ["templates: no-mail", []],
  ["templates: [no-mail, { mail: { host: mx1, addresses: [192.0.2.1] } }, { caa: }]", []],
  ["templates: { mail: { host: mx1 } }", []],
  ["templates: {}", []],
  ["templates:", []],
  ["templates: []", []],
  [
    "records: { www: { A: { override: true, values: [] }, AAAA: { ttl_sec: 1h, override: false, values: 2001:db8::1 } } }",
    [],
  ],
  ["templates: [[no-mail]]", ["templates"]],
  ["templates: { mail: [mx1] }", ["templates"]],
  ["templates: [{}]", ["templates"]],
  ["templates: [~]", ["templates"]],
  ["templates: no-mail, security", ["templates"]],
  ["templates: [a/b]", ["templates"]],
  ["records: { www: { A: { override: yes, values: 192.0.2.1 } } }", ["records/www/A"]],
  ["parameters: { host: hostname }", [""]],
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
  ["records: { '@': { MX: { target: a, exchange: a } } }", ["records/@/MX"]],
  ["records: { '@': { A: { address: 192.0.2.1, target: 192.0.2.1 } } }", ["records/@/A"]],
  ["records: { www: { lenient: [privat-address] } }", ["records/www/lenient"]],
  ["records: { www: { lenient: { rule: private-address } } }", ["records/www/lenient"]],
  ["records: { www: { lenient: [cname-alone] } }", ["records/www/lenient"]],
  ["records: { www: { A: { node: web-1, private: true }, AAAA: [{ node: web-1 }, '2001:db8::1'] } }", []],
  ["records: { www: { A: { ttl_sec: 5m, values: [{ node: web-1 }, { node: 123 }] } } }", []],
  ["records: { www: { A: { private: true } } }", ["records/www/A"]],
  ["records: { www: { A: { node: web-1, target: 192.0.2.1 } } }", ["records/www/A"]],
  ["records: { www: { AAAA: { node: web-1, private: true } } }", ["records/www/AAAA"]],
  ["records: { www: { CNAME: { node: web-1 } } }", ["records/www/CNAME"]],
];

const templates: typeof zones = [
  ["{}", [""]],
  ["records:", []],
  ["ttl_sec: 1h", []],
  ["parameters: { hosts: { type: list of hostname, default: mx1 } }", []],
  ["parameters: { host: { type: hostname, default: [mx1] } }", ["parameters/host"]],
  ["parameters: { zone: hostname }", ["parameters"]],
  ["parameters: { host: { type: hostname, default: mx1, description: a host }, addresses: list of ipv4 }", []],
  ["parameters: { texts: { type: list of text, default: [] } }\nttl_sec: $(ttl)\nstatus: $(status)", []],
  ["records: { $(host): { A: { ttl_sec: $(ttl), values: $(addresses) } } }", []],
  ["records: { '@': { MX: [{ priority: $(priority), target: $(host) }, 10 $(host)] } }", []],
  ["records: { '@': { A: [{ node: $(host) }, { node: $(host), private: $(private) }] } }", []],
  ["parameters: { host: host }", ["parameters/host"]],
  ["parameters: { Host: hostname }", ["parameters"]],
  ["parameters: { host: { default: mx1 } }", ["parameters/host"]],
  ["zone: example.com", [""]],
  ["templates: [no-mail]", [""]],
  ["records: { www: { A: { override: true, values: 192.0.2.1 } } }", ["records/www/A"]],
  ["records: { '@': { MX: { priority: 1 $(priority), target: a } } }", ["records/@/MX"]],
];

const configs: [text: string, faults: string[]][] = [
  ["{}", []],
  ["api_url: https://api.example.com\nzones: [dns, lab]\ndefaults: { ttl_sec: 1H, tags: [web] }", []],
  ["rules: { practice: off, underscore-host: error, type-unsupported: note, api: warning }", []],
  ["policy: { strict: true }\nnameservers: [ns1.example.net]", []],
  ["zone: dns", [""]],
  ["zones: []", ["zones"]],
  ["zones: { path: dns, format: bind }", ["zones"]],
  ["api_url: api.example.com", ["api_url"]],
  ["defaults: { ttl_sec: 1 hour }", ["defaults/ttl_sec"]],
  ["policy: { strict: 1 }", ["policy/strict"]],
  ["rules: { practise: off }", ["rules"]],
  ["rules: { private-address: no }", ["rules/private-address"]],
  ["rules: { type-unsupported: off }", ["rules/type-unsupported"]],
  ["rules: { cname-alone: note }", ["rules"]],
];

const catalogs: [text: string, faults: string[]][] = [
  ["{}", []],
  ["regions: [{ id: here, label: Here, country: de }]", []],
  [
    "regions: [{ id: Here, label: '', country: Germany, status: up, colour: red }]",
    ["regions/0", "regions/0/country", "regions/0/id", "regions/0/label", "regions/0/status"],
  ],
  ["regions: [{ id: here }]", ["regions/0"]],
  [
    "images: [{ id: linode/debian12, label: Debian, size: 1.5, filesystem: zfs }]",
    ["images/0/filesystem", "images/0/id", "images/0/size"],
  ],
  ["tax: { DE: 19, IE: 13.5 }\nrdns_domain: nodes.example.net\nprices: { volume_gb: { monthly: 0.1 } }", []],
  [
    "tax: { Germany: 19, DE: 119 }\nrdns_domain: Nodes.\nprices: { volume_gb: 0.1 }",
    ["prices/volume_gb", "rdns_domain", "tax", "tax/DE"],
  ],
  ["kernel: []", [""]],
];

/** Files with a fault of shape, and the paths of those. */
const ofFaultyFiles: [file: string, paths: string][] = [
  ["lenient", "records/one/lenient records/two/lenient"],
  ["missing-port", "records/_sip._tcp/SRV records/sip/CAA records/sip/MX"],
  ["records-list", "records"],
  ["settings", "axfr_ips description group soa_email status tags type zone"],
  ["times", "expire_sec records/one/A records/three/A records/two/A refresh_sec retry_sec ttl_sec"],
  ["unknown-types", "records/one records/three records/two"],
];

const formats = { uri: URL.canParse };

/**
 * The paths at which a validator of draft 7 finds fault with a document; of a choice that nothing fits, the choice's
 * own.
 */
function faults(schema: object): (document: unknown) => string[] {
  const options = { allErrors: true, allowUnionTypes: true, allowMatchingProperties: true, formats };
  const validate = new Ajv(options).compile(schema);
  return (document) => {
    if (validate(JSON.parse(JSON.stringify(document, finite)))) return [];
    const errors = validate.errors ?? [];
    const choices = errors.filter(({ keyword }) => keyword === "anyOf").map(({ instancePath }) => instancePath);
    const isOfChoice = (path: string) =>
      choices.some((choice) => path !== choice && `${path}/`.startsWith(`${choice}/`));
    const paths = errors.map(({ instancePath }) => instancePath).filter((path) => !isOfChoice(path));
    return [...new Set(paths.map((path) => path.slice(1)))].sort();
  };
}

/** YAML's .inf is a number that JSON has not. */
function finite(_: string, value: unknown): unknown {
  return value === Number.POSITIVE_INFINITY ? Number.MAX_VALUE : value;
}

/** A document as editors see it: anchors and merges laid out. */
function laidOut(text: string): unknown {
  return parse(text, { merge: true, uniqueKeys: false, logLevel: "error" });
}

function yamlFiles(folder: string): string[] {
  return readdirSync(join(root, folder)).flatMap((file) => (file.endsWith(".yaml") ? [join(folder, file)] : []));
}

describe("a JSON Schema validator", () => {
  const judges = {
    zone: faults(schemas.zone),
    template: faults(schemas.template),
    config: faults(schemas.config),
    catalog: faults(schemas.catalog),
  };
  const judgeFile = (file: string) => judges.zone(laidOut(readFileSync(join(root, file), "utf8")));

  test.each(titled(zones, ([text]) => `judges the zone ${text}`))("%s", (_, text, expected) => {
    expect(judges.zone(laidOut(text))).toEqual(expected);
  });

  test.each(titled(templates, ([text]) => `judges the template ${text}`))("%s", (_, text, expected) => {
    expect(judges.template(laidOut(text))).toEqual(expected);
  });

  test.each(yamlFiles("templates"))("accepts %s", (file) => {
    expect(judges.template(laidOut(readFileSync(join(root, file), "utf8")))).toEqual([]);
  });

  test.each(titled(configs, ([text]) => `judges the config ${text}`))("%s", (_, text, expected) => {
    expect(judges.config(laidOut(text))).toEqual(expected);
  });

  test.each(titled(catalogs, ([text]) => `judges the catalogue ${text}`))("%s", (_, text, expected) => {
    expect(judges.catalog(laidOut(text))).toEqual(expected);
  });

  test.each(yamlFiles("examples"))("accepts %s", (file) => {
    expect(judges.catalog(laidOut(readFileSync(join(root, file), "utf8")))).toEqual([]);
  });

  test.each([...yamlFiles("test/cases/zones/ok"), ...yamlFiles("zones")])("accepts %s", (file) => {
    expect(judgeFile(file)).toEqual([]);
  });

  test.each(ofFaultyFiles)("reports in test/cases/zones/ko/%s.yaml %s", (file, paths) => {
    expect(judgeFile(`test/cases/zones/ko/${file}.yaml`).join(" ")).toBe(paths);
  });

  test("accepts every written zone", () => {
    fc.assert(fc.property(zone, (zone) => void expect(judges.zone(laidOut(writeYaml(zone)))).toEqual([])));
  });

  test("accepts the examples of rules, also those that the reader accepts and a rule rejects", () => {
    const texts = lowerableRules.flatMap(({ example }) =>
      example && example.format === undefined ? [example.valid, example.invalid] : [],
    );
    expect(texts.flatMap((text) => judges.zone(laidOut(text)))).toEqual([]);
  });
});
