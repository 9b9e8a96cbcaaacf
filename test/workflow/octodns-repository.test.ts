import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rdataText, type ZoneRecord } from "../../src/dns/zone/zone.ts";
import type { ForeignResult } from "../../src/formats/foreign/foreign-format.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { readOctodnsRepository } from "../../src/workflow/zones/octodns-repository.ts";
import { readOctodns } from "../formats/api.ts";
import { cases, linesOf } from "../formats/foreign.ts";
import { domainName } from "../names.ts";

const folder = join(cases, "octodns-repository");

function read(text: string, cwd = folder): ForeignResult {
  const found = readOctodnsRepository(
    { cwd, settings: apiSettings },
    { file: "config.yaml", bytes: Buffer.from(text) },
  );
  return found ?? expect.fail("no configuration");
}

const repository = () => read(readFileSync(join(folder, "production.yaml"), "utf8"));

const shown = ({ zones, problems }: ForeignResult) => [
  ...zones.flatMap(linesOf),
  ...problems.map(({ severity, id, summary, place }) => `${place?.line}: ${severity}[${id}] ${summary}`),
];

test("zones of several sources, dynamic, split and aliased ones; filters", () => {
  const excluded = "a filter of octoDNS excludes it";
  expect(shown(repository())).toEqual([
    "zone example.com.",
    'ignore: {"name":"lab"} the processor no-lab of octoDNS',
    "example.com. 600 MX 10 mail.example.com.",
    "example.com. 600 NS ns1.example.net.",
    "example.com. 600 NS ns2.example.net.",
    "mail.example.com. 300 A 192.0.2.25",
    "mail.example.com. 300 A 192.0.2.26",
    "api.example.com. 3600 A 192.0.2.40",
    "www.example.com. 3600 CNAME other.example.net.",
    `unread: lab.example.com. 600 A: ${excluded}`,
    `unread: tmp-1.example.com. 600 A: ${excluded}`,
    'warning[foreign-omitted] the processor "no-lab" (octodns.processor.filter.NameRejectlistFilter) is not imported: `ignore` has no such names: /^tmp-/. Live records that they match would be deleted',
    "zone example.net.",
    'ignore: {"type":"TXT"} the processor no-txt of octoDNS',
    "www.example.net. 600 A 192.0.2.20",
    `unread: example.net. 600 TXT: ${excluded}`,
    "zone example.org.",
    'ignore: {"type":"TXT"} the processor no-txt of octoDNS',
    "www.example.org. 600 A 192.0.2.20",
    `unread: example.org. 600 TXT: ${excluded}`,
    "zone web.example.",
    "manage: listed",
    "www.web.example. 600 AAAA 2001:db8::1",
    `unread: web.example. 600 MX: ${excluded}`,
    'warning[foreign-omitted] the processor "only-addresses" (octodns.processor.filter.TypeAllowlistFilter) is not imported: instead, the zone has `manage: listed`, so live records that the files do not list stay, whatever their type',
    "zone plain.example.",
    "*.plain.example. 600 A 192.0.2.60",
    "zone split.example.",
    "split.example. 600 A 192.0.2.51",
    "www.split.example. 600 A 192.0.2.50",
    '2: warning[foreign-omitted] the part "manager" (max_workers) is not imported: only octoDNS uses it',
    '45: warning[foreign-omitted] the part "example.net." (lenient) is not imported: only octoDNS uses it',
  ]);
});

const textOf = (record: ZoneRecord) => `${record.owner} ${record.ttl} ${record.type} ${rdataText(record)}`;

test("the records are those that octoDNS itself finds", () => {
  const { zones } = repository();
  // It leaves the NS records at the apex to its targets.
  const own = zones.flatMap(({ name, records }) =>
    records.filter(({ type, owner }) => type !== "NS" || owner !== name).map(textOf),
  );
  const dump = readdirSync(join(folder, "dump")).flatMap((file) => {
    const origin = domainName(file.replace(/yaml$/, ""));
    const { zone } = readOctodns({ file, bytes: readFileSync(join(folder, "dump", file)), origin });
    return zone.records.map(textOf);
  });
  expect(own.sort()).toEqual(dump.sort());
});

const provider = (text: string) => `providers:\n  x:\n    ${text}\nzones:\n  example.com.:\n    sources: [x]\n`;
const yaml = "class: octodns.provider.yaml.YamlProvider";

test.each<[string, string, string[]]>([
  [
    "a source that is no file",
    provider("class: octodns_bind.AxfrSource"),
    ['error[foreign-omitted] the source "x" is not read: it is of class octodns_bind.AxfrSource'],
  ],
  [
    "a folder that does not exist",
    provider(`${yaml}\n    directory: ./nowhere`),
    ['error[file-read] the folder "./nowhere" of the source "x" does not exist'],
  ],
  [
    "a source that is not configured",
    "providers: {}\nzones: { example.com.: { sources: [x] } }",
    ['error[value-shape] the source "x" is not among the providers'],
  ],
  [
    "a zone without a file",
    `providers: { x: { ${yaml}, directory: more } }\nzones: { example.net.: { sources: [x] } }`,
    ['error[file-read] the source "x" has no file for example.net.'],
  ],
  [
    "a set in two sources",
    `providers: { x: { ${yaml}, directory: config }, y: { ${yaml}, directory: more } }\nzones: { example.com.: { sources: [x, y] } }`,
    ['error[duplicate-set] "www.example.com." has a second CNAME set in more/example.com.yaml'],
  ],
  [
    "an alias of nothing",
    "providers: {}\nzones: { example.com.: { alias: example.net. } }",
    ['error[value-shape] the zone example.com. is an alias of "example.net.", which is not in the configuration'],
  ],
  [
    "another processor",
    `providers: { x: { ${yaml}, directory: more } }\nprocessors: { meta: { class: octodns.processor.meta.MetaProcessor } }\nzones: { example.com.: { sources: [x], processors: [meta] } }`,
    [
      'warning[foreign-omitted] the processor "meta" (octodns.processor.meta.MetaProcessor) is not imported: only octoDNS can run it; check how it changes the records',
    ],
  ],
  [
    "several targets",
    `providers: { x: { ${yaml}, directory: more } }\nzones: { example.com.: { sources: [x], targets: [a, b] } }`,
    ["warning[foreign-omitted] the list of targets a, b is not imported: a project has one account"],
  ],
])("%s", (_, text, lines) => {
  const { zones, problems } = read(text.replaceAll(yaml, "class: octodns.provider.yaml.YamlProvider"));
  const all = [...problems, ...zones.flatMap((zone) => zone.problems)];
  expect(all.map(({ severity, id, summary }) => `${severity}[${id}] ${summary}`)).toEqual(lines);
});

test.each<[string, string[]]>([
  ["glob: '*.example.'", ["plain.example.", "split.example.", "web.example."]],
  ["glob: '[pw]*.example.'", ["plain.example.", "web.example."]],
  ["regex: '^(web|split)'", ["split.example.", "web.example."]],
  ["glob: example.net.", ["example.net."]],
])("a dynamic zone with %s", (condition, names) => {
  const text = `providers: { x: { ${yaml}, directory: config, split_extension: . } }\nzones: { '*': { sources: [x], ${condition} } }`;
  expect(read(text).zones.map(({ name }) => name)).toEqual(names);
});

test("another YAML file is no configuration", () => {
  const other = (text: string) =>
    readOctodnsRepository({ cwd: folder, settings: apiSettings }, { file: "x.yaml", bytes: Buffer.from(text) });
  expect(other("providers: { type: A, value: 192.0.2.1 }\nzones: { type: A, value: 192.0.2.1 }\n")).toBe(undefined);
  expect(other("www: { A: 192.0.2.1 }\n")).toBe(undefined);
});
