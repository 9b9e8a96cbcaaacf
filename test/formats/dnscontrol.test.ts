import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Zone } from "../../src/dns/zone/zone.ts";
import { isMissing } from "../judges.ts";
import { recordsText } from "./api.ts";
import { cases, linesOf, readCase, readForeign } from "./foreign.ts";
import { compileZone } from "./named.ts";

// test/cases/dnscontrol/README.md names the commands that made these files.

const isRecord = (line: string) => /^[^ ]+\. \d+ /.test(line);

test("print-ir: what is not a record", () => {
  const { format, zones, problems } = readCase("dnscontrol/print-ir.json");
  expect([format.name, problems]).toEqual(["output of dnscontrol print-ir", []]);
  expect(zones.flatMap(linesOf).filter((line) => !isRecord(line))).toEqual([
    "zone example.com.",
    'ignore: {"name":"_acme-challenge*","type":"TXT"} IGNORE in dnsconfig.js',
    'ignore: {"name":"vpn","type":"A"} IGNORE in dnsconfig.js',
    'ignore: {"name":"vpn","type":"AAAA"} IGNORE in dnsconfig.js',
    'ignore: {"type":"CNAME","value":"*.cdn.example.net."} IGNORE in dnsconfig.js',
    'ignore: {"type":"MX","value":"* *.spare.example.net."} IGNORE in dnsconfig.js',
    'warning[foreign-omitted] IGNORE("dhcp-[0-9]", "A", "*") is not imported: only * can be used in patterns. Live records that it matches would be deleted',
    'warning[foreign-omitted] IGNORE("*", "*", "192.0.2.99") is not imported: a pattern of values needs one of the types that have a single value, MX or SRV. Live records that it matches would be deleted',
    "zone example.net.",
    "manage: listed",
    'warning[foreign-omitted] the list of providers "bind", "spare" is not imported: a project has one account',
    "warning[foreign-omitted] AUTODNSSEC_ON is not imported: the service does not sign zones",
    "warning[foreign-omitted] ENSURE_ABSENT_REC of old A 192.0.2.21 is not imported: delete the live record, if there is one",
    "zone example.org.",
    "unread: example.org. 1 CLOUDFLAREAPI_SINGLE_REDIRECT: DNS has no such type: it is a function of one provider (line 58 of the DNSControl configuration)",
    'warning[foreign-omitted] the metadata "cloudflare_proxy: on" of www is not imported: only DNSControl\'s providers use it',
    "zone example.edu.",
    "error[zone-twice] dnsconfig.js has several versions of this zone: example.edu!inside, example.edu!outside",
    "zone xn--bcher-kva.example.",
  ]);
});

test("print-ir: the records of a zone", () => {
  const zone = readCase("dnscontrol/print-ir.json").zones.find(({ name }) => name === "example.org.");
  expect(zone && linesOf(zone).filter(isRecord)).toEqual([
    "www.example.org. 300 A 192.0.2.30",
    "example.org. 300 ALIAS lb.example.net.",
    "sub.example.org. 300 A 192.0.2.31",
    "api.sub.example.org. 300 A 192.0.2.32",
    "sub.example.org. 300 MX 10 mail.sub.example.org.",
  ]);
});

/** Without what this test adds, what it does not compare, and ALIAS, which BIND does not know. */
function withoutOthers(text: string): string {
  return text.replaceAll(/^.* (?:SOA|NS ns\.invalid\.|ALIAS)(?: .*)?\n/gm, "");
}

describe.skipIf(isMissing("named-compilezone"))("the records are those that DNSControl itself writes for BIND", () => {
  const names = ["example.com", "example.net", "example.org", "xn--bcher-kva.example"];
  const rows = ["print-ir.json", "get-zones.tsv", "get-zones.zone"].flatMap((file) =>
    (file === "print-ir.json" ? names : names.slice(0, 3)).map((name) => [file, name] as const),
  );
  test.each(rows)("%s: %s", async (file, name) => {
    const foreign = readCase(`dnscontrol/${file}`).zones.find((zone) => zone.name === `${name}.`);
    if (!foreign) throw new Error(`${file} has no ${name}`);
    const own = readFileSync(join(cases, "dnscontrol/zones", `${name}.zone`));
    const { records, messages } = await compileZone(name, Buffer.concat([own, Buffer.from("@ NS ns.invalid.\n")]));
    const zone: Zone = {
      name: foreign.name,
      settings: foreign.settings,
      records: foreign.records,
      places: {},
      dotlessTargets: [],
    };
    expect(withoutOthers(recordsText([zone]))).toBe(withoutOthers(records ?? messages));
  });
});

test.each<[string, object, string[]]>([
  [
    "a record of a type that needs more than print-ir has",
    { records: [{ type: "MX", name: "@", target: "", filepos: "[line:7:3]" }] },
    [
      "unread: example.com. - MX: its data is invalid: MX record has no exchange (line 7 of the DNSControl configuration)",
    ],
  ],
  [
    "--raw",
    { records: [], rawrecords: [{ type: "A" }] },
    ["error[value-shape] the records are those of `dnscontrol print-ir --raw`, without normalization"],
  ],
  [
    "a pattern for everything",
    { unmanaged: [{ label_pattern: "*" }] },
    [
      'warning[foreign-omitted] IGNORE("*", "*", "*") is not imported: it matches every record of the zone. Live records that it matches would be deleted',
    ],
  ],
  [
    "a property of a later version",
    { new_property: 1 },
    ['warning[foreign-omitted] the property "new_property" is not imported: zonewright does not know it'],
  ],
  [
    "the TTL of name servers",
    { meta: { ns_ttl: "86400" }, nameservers: [{ name: "ns1.example.net" }] },
    ["example.com. 86400 NS ns1.example.net."],
  ],
  [
    "a registrar",
    { registrar: "shop" },
    [
      'warning[foreign-omitted] the registrar "shop" is not imported: zonewright does not change delegations at registrars',
    ],
  ],
])("print-ir: %s", (_, domain, lines) => {
  const ir = {
    registrars: [{ name: "shop", type: "OVH" }],
    dns_providers: [],
    domains: [{ name: "example.com", ...domain }],
  };
  expect(readForeign("ir.json", ir).zones.flatMap(linesOf).slice(1)).toEqual(lines);
});

test.each<[string, string, string[]]>([
  [
    "a text with a line feed",
    "example.com\t@\t300\tIN\tTXT\ta\nb\n",
    ["error[value-shape] x.tsv:2 the line is not a record of DNSControl"],
  ],
  [
    "a label that is not that of the name",
    "www.example.com\tftp\t300\tIN\tA\t192.0.2.1\n",
    ['error[value-shape] x.tsv:1 "www.example.com" does not begin with "ftp"'],
  ],
])("tsv: %s", (_, text, lines) => {
  const first = "example.org\t@\t300\tIN\tA\t192.0.2.1\n";
  const { problems } = readForeign("x.tsv", first + text);
  const shown = problems.map(
    ({ severity, id, summary, place }) => `${severity}[${id}] x.tsv:${(place?.line ?? 0) - 1} ${summary}`,
  );
  expect(shown).toEqual(lines);
});

test("tsv: metadata and a type of one provider", () => {
  const text =
    "example.com\t@\t1\tIN\tCF_REDIRECT\ta,b\nwww.example.com\twww\t300\tIN\tA\t192.0.2.1\tcloudflare_proxy=true\n";
  expect(readForeign("x.tsv", text).zones.flatMap(linesOf)).toEqual([
    "zone example.com.",
    "www.example.com. 300 A 192.0.2.1",
    "unread: example.com. 1 CF_REDIRECT: DNS has no such type: it is a function of one provider",
    'warning[foreign-omitted] the metadata "cloudflare_proxy=true" of www A is not imported: only DNSControl\'s providers use it',
  ]);
});

test("several zones in a BIND file: errors have their lines", () => {
  const { zones } = readForeign(
    "x.zone",
    "$ORIGIN a.example.\n@ 300 SOA a. b. 1 2 3 4 5\n\n$ORIGIN b.example.\n$TTL 300\n@ SOA a. b. 1 2 3 4 5\nwww A 192.0.2.300\n",
  );
  expect(
    zones.map(({ name, records, problems }) => [name, records.length, problems.map(({ place }) => place?.line)]),
  ).toEqual([
    ["a.example.", 1, []],
    ["b.example.", 1, [7]],
  ]);
});

test("dnsconfig.js, which get-zones --format=js writes as well: advice", () => {
  const { zones, problems } = readForeign("dnsconfig.js", 'var REG = NewRegistrar("none");\nD("example.com", REG);\n');
  expect([zones, problems.map(({ id, summary, fix }) => [id, summary, fix])]).toEqual([
    [],
    [
      [
        "file-format",
        "dnsconfig.js is a program of DNSControl",
        "Run `dnscontrol print-ir > print-ir.json` and import that file; for live zones, `dnscontrol get-zones --format=zone`.",
      ],
    ],
  ]);
});
