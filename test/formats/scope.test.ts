import { expect, test } from "vitest";
import type { Problem } from "../../src/diagnostics/problem.ts";
import type { Source, ZoneFileBytes } from "../../src/formats/kit/source.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { domainName } from "../names.ts";
import { formatCanonical, formats, readBind, readYaml } from "./api.ts";

const yaml = `zone: example.com
manage: listed
# what others write
ignore:
  - name: "*.dyn"
    type: A
    reason: leases of the office
    until: 2027-01-31
  - value: google-site-verification=*
    reason: the web team's
records:
  "@":
    A: 192.0.2.1
`;

const bind = `;@ implicit: TTL, SOA, NS
;@ manage: listed
; what others write
;@ ignore: {"name":"*.dyn","type":"A","reason":"leases of the office","until":"2027-01-31"}
;@ ignore: {"value":"google-site-verification=*","reason":"the web team's"}
$ORIGIN example.com.
$TTL 1d
@ IN SOA ns1.zonewright.invalid. hostmaster 1 14400 14400 1209600 86400
@ IN NS  ns1.zonewright.invalid.
@ IN NS  ns2.zonewright.invalid.
@ IN A   192.0.2.1
`;

const scope = {
  manage: "listed",
  ignore: [
    { name: "*.dyn", type: "A", reason: "leases of the office", until: "2027-01-31" },
    { value: "google-site-verification=*", reason: "the web team's" },
  ],
};

function fileOf(text: string): ZoneFileBytes {
  return { file: "z", settings: apiSettings, bytes: Buffer.from(text), origin: domainName("example.com.") };
}

test.each([
  ["YAML", yaml, formats.yaml],
  ["a master file", bind, formats.bind],
])("reads and writes the scope %s", (_, text, format: Source) => {
  const { zone, problems } = format.read(fileOf(text));
  expect(problems).toEqual([]);
  expect({ ...zone.scope, ignore: zone.scope?.ignore.map(({ at, ...pattern }) => pattern) }).toEqual(scope);
  expect(format.write(zone, { settings: apiSettings })).toBe(text.replace(/^[#;] what others write\n/m, ""));
});

test("fmt keeps the scope, also into the other format, with its comments", () => {
  const octets = (text: string, from: "yaml" | "bind", to: "yaml" | "bind") =>
    Buffer.from(formatCanonical(fileOf(text), from, to, {}).bytes).toString();
  expect(octets(yaml, "yaml", "yaml")).toBe(yaml);
  expect(octets(bind, "bind", "bind")).toBe(bind);
  expect(octets(yaml, "yaml", "bind")).toBe(bind);
  expect(octets(bind, "bind", "yaml")).toBe(yaml);
});

test.each([
  ["manage: some", '1:9 setting-value "manage" must be "all" or "listed"'],
  ["manage: [all]", '1:9 setting-value "manage" must be "all" or "listed"'],
  ["ignore: www", "1:9 setting-value `ignore` must be a list of patterns"],
  ["ignore: [{ type: A }]", "1:10 setting-value the ignore pattern has no reason"],
  ["ignore: { type: A, reason: ' ' }", "1:9 setting-value the ignore pattern has no reason"],
  [
    "ignore: [{ reason: r }]",
    "1:10 setting-value the ignore pattern has no name, type or value, so it would match every record",
  ],
  ["ignore: [{ type: A, reason: r, until: soon }]", '1:10 setting-value "until" is not a date'],
  ["ignore: [{ type: A, reason: r, until: 2027-02-29 }]", '1:10 setting-value "until" is not a date'],
  ["ignore: [{ type: [A, AAAA], reason: r }]", '1:10 setting-value "type" of the ignore pattern must be one value'],
  ["ignore: [{ name:, type: A, reason: r }]", '1:10 setting-value "name" of the ignore pattern must be one value'],
  ["ignore: [{ typ: A, reason: r }]", '1:10 unknown-key "typ" is not a key of an ignore pattern'],
])("YAML: rejects %s", (text, said) => {
  expect(brief(readYaml(fileOf(text)).problems)).toBe(said);
});

test.each([
  [";@ manage: some", '1:1 setting-value "manage" must be "all" or "listed"'],
  [";@ ignore: www", "1:1 setting-value the ignore pattern is not a JSON object of strings"],
  [';@ ignore: {"type": 1}', "1:1 setting-value the ignore pattern is not a JSON object of strings"],
  [';@ ignore: {"type": "A"}', "1:1 setting-value the ignore pattern has no reason"],
  [";@ manag: all", '1:1 unknown-key "manag" is not a zone setting'],
])("a master file: rejects %s", (text, said) => {
  expect(brief(readBind(fileOf(`${text}\n`)).problems)).toBe(said);
});

function brief(problems: readonly Problem[]): string {
  return problems.map(({ place: at, id: rule, summary }) => `${at?.line}:${at?.column} ${rule} ${summary}`).join("\n");
}
