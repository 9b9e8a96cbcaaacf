import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cases, linesOf, readCase, readForeign } from "./foreign.ts";

// test/cases/terraform/README.md names the commands that made these files.

const whole = [
  "zone example.net.",
  "soa_email: hostmaster@example.net",
  "ttl_sec: 86400",
  'www.example.net. - A 192.0.2.20 ; module.zone["example.net"].linode_domain_record.www, record 11',
  'note[foreign-id] example.net is the domain 2 of the account, module.zone["example.net"].linode_domain.this in Terraform',
  "zone example.com.",
  "soa_email: hostmaster@example.com",
  "ttl_sec: 3600",
  "axfr_ips: 192.0.2.53,2001:db8::53",
  "tags: prod,shop",
  'example.com. - CAA 0 issue "ca.example.net" ; linode_domain_record.caa, record 3',
  "docs.example.com. - CNAME docs.example.net. ; linode_domain_record.docs, record 4",
  "lab.example.com. - NS ns1.example.net. ; linode_domain_record.lab, record 10",
  "example.com. - MX 10 mx1.example.net. ; linode_domain_record.mail[0], record 5",
  "example.com. - MX 20 mx2.example.net. ; linode_domain_record.mail[1], record 6",
  "_sip._tcp.example.com. - SRV 10 5 5060 sip.example.com. ; linode_domain_record.sip, record 2",
  'example.com. - TXT "v=spf1 mx -all" ; linode_domain_record.spf, record 1',
  'www.example.com. 300 A 192.0.2.10 ; linode_domain_record.web["a"], record 9',
  'www.example.com. 300 A 192.0.2.11 ; linode_domain_record.web["b"], record 8',
  "ipv6.example.com. - AAAA 2001:db8::10 ; linode_domain_record.whole, record 7",
  "note[foreign-id] example.com is the domain 1 of the account, linode_domain.example in Terraform",
  "zone example.org.",
  "soa_email: hostmaster@example.org",
  "ttl_sec: 86400",
  'www.example.org. - A 192.0.2.20 ; module.zone["example.org"].linode_domain_record.www, record 12',
  'note[foreign-id] example.org is the domain 3 of the account, module.zone["example.org"].linode_domain.this in Terraform',
];

const partial = [
  "zone example.com.",
  "soa_email: hostmaster@example.com",
  "ttl_sec: 86400",
  "manage: listed",
  "www.example.com. - A 192.0.2.10 ; linode_domain_record.www, record 1",
  "note[foreign-id] example.com is the domain 1 of the account, data.linode_domain.shared in Terraform",
  "zone example.net.",
  "soa_email: hostmaster@example.net",
  "ttl_sec: 86400",
  "note[foreign-id] example.net is the domain 2 of the account, linode_domain.secret in Terraform",
  'error[foreign-sensitive] Terraform marks "target" of linode_domain_record.verification as sensitive',
];

test.each([
  ["terraform/terraform.tfstate", whole],
  ["terraform/show.json", whole],
  ["terraform/partial.tfstate", partial],
  ["terraform/partial.json", partial],
])("%s: resources with count, for_each and modules, settings and ids", (file, lines) => {
  const { format, zones, problems } = readCase(file);
  expect([format.name, zones.flatMap(linesOf), problems]).toEqual(["Terraform state", lines, []]);
});

test.each([
  ["terraform.tfstate", "correct horse battery staple"],
  ["show.json", "correct horse battery staple"],
  ["partial.tfstate", "verification=9f2c"],
  ["partial.json", "verification=9f2c"],
])("the sensitive value in %s is in no result", (file, secret) => {
  expect(readFileSync(join(cases, "terraform", file), "utf8")).toContain(secret);
  expect(JSON.stringify(readCase(`terraform/${file}`))).not.toContain(secret);
});

const resource = (type: string, attributes: object, more: object = {}) => ({
  ...{ mode: "managed", type, name: "x", provider: 'provider["registry.terraform.io/linode/linode"]' },
  instances: [{ schema_version: 0, attributes, sensitive_attributes: [], ...more }],
});
const state = (...resources: object[]) => ({ version: 4, terraform_version: "1.11.4", lineage: "x", resources });
const domain = (attributes: object = {}) =>
  resource("linode_domain", { id: "7", domain: "example.com", type: "master", ...attributes });
const record = (attributes: object, more?: object) =>
  resource("linode_domain_record", { id: "8", domain_id: 7, name: "", ...attributes }, more);

test.each<[string, object, string[]]>([
  [
    "a name with its domain",
    { record_type: "A", name: "www.example.com", target: "192.0.2.1" },
    ["www.example.com. - A 192.0.2.1"],
  ],
  [
    "a name with a final dot",
    { record_type: "A", name: "www.example.com.", target: "192.0.2.1" },
    ["www.example.com. - A 192.0.2.1"],
  ],
  ["the domain itself", { record_type: "A", name: "Example.com", target: "192.0.2.1" }, ["example.com. - A 192.0.2.1"]],
  [
    "a name that ends like the domain",
    { record_type: "A", name: "notexample.com", target: "192.0.2.1" },
    ["notexample.com.example.com. - A 192.0.2.1"],
  ],
  [
    "an older provider's SRV without a name",
    { record_type: "SRV", service: "sip", protocol: "_tcp", target: "sip", priority: 1, weight: 2, port: 3 },
    ["_sip._tcp.example.com. - SRV 1 2 3 sip.example.com."],
  ],
  ["an empty target of MX", { record_type: "MX", target: "", priority: 0 }, ["example.com. - MX 0 ."]],
  [
    "quotes in TXT",
    { record_type: "TXT", target: 'a "b" \\ c', ttl_sec: 300 },
    ['example.com. 300 TXT "a \\"b\\" \\\\ c"'],
  ],
  [
    "invalid data",
    { record_type: "A", name: "www", target: "192.0.2.300" },
    ["unread: www.example.com. - A: its data is invalid: not an IPv4 address (linode_domain_record.x)"],
  ],
])("%s", (_, attributes, lines) => {
  const { zones } = readForeign("x.tfstate", state(domain(), record(attributes)));
  const found = zones.flatMap(linesOf).map((line) => line.replace(/ ; .*/, ""));
  expect(found.filter((line) => !/^(?:zone |ttl_sec: |note\[)/.test(line))).toEqual(lines);
});

test.each<[string, object, string[]]>([
  [
    "DNS of other providers is listed, other resources and data sources are not",
    state(
      resource("aws_route53_record", { id: "a", name: "www" }),
      resource("cloudflare_dns_record", { id: "a" }),
      resource("linode_rdns", { id: "a" }),
      resource("linode_instance", { id: "a", root_pass: "secret" }),
      resource("aws_availability_zone", {}),
      { ...resource("aws_route53_zone", { id: "a" }), mode: "data" },
    ),
    [
      "warning[foreign-omitted] aws_route53_record.x is not imported: only Linode's resources are read",
      "warning[foreign-omitted] cloudflare_dns_record.x is not imported: only Linode's resources are read",
      "warning[foreign-omitted] linode_rdns.x is not imported: only Linode's resources are read",
    ],
  ],
  [
    "a record of a domain that is not in the state",
    state(record({ record_type: "A", target: "192.0.2.1" })),
    ["warning[foreign-omitted] linode_domain_record.x is not imported: the state has no linode_domain with the id 7"],
  ],
  [
    "an object that a new one replaces",
    state({ ...domain(), instances: [{ deposed: "1", attributes: { id: "7", domain: "x" } }] }),
    [],
  ],
  [
    "an invalid name",
    state(domain({ domain: "a..b" })),
    ["error[name-syntax] linode_domain.x: the name has an empty label"],
  ],
  [
    "an older state",
    { version: 3, terraform_version: "0.11.0", lineage: "x", modules: [] },
    ["error[value-shape] x.tfstate has version 3 of the state, not 4"],
  ],
  [
    "a plan",
    { format_version: "1.2", terraform_version: "1.11.4", planned_values: { root_module: {} } },
    ["error[value-shape] x.tfstate is a plan of Terraform, not a state"],
  ],
  ["an empty state as JSON", { format_version: "1.0" }, []],
  [
    "a damaged state",
    { version: 4, terraform_version: "1", lineage: "x", resources: [{ mode: "managed", type: 7 }] },
    [
      "error[value-shape] x.tfstate is not a valid Terraform state: at resources[0].type: Invalid input: expected string, received number",
    ],
  ],
])("%s", (_, contents, lines) => {
  const { zones, problems } = readForeign("x.tfstate", contents);
  expect(zones).toEqual([]);
  expect(problems.map(({ severity, id, summary }) => `${severity}[${id}] ${summary}`)).toEqual(lines);
});

test("modules that are nested without end are no state", () => {
  const depth = 20_000;
  const nested = `{"resources":[],"child_modules":[`.repeat(depth) + "]}".repeat(depth);
  const text = `{"format_version":"1.0","terraform_version":"1.11.4","values":{"root_module":${nested}}}`;
  expect(() => readForeign("x.json", text)).toThrow("no reader recognises x.json");
});
