import { test as always, expect } from "vitest";
import { isMissing } from "../judges.ts";
import { noon } from "../server/start.ts";
import { libcloud, type Step } from "./libcloud.ts";
import { serve } from "./run.ts";

const test = always.skipIf(isMissing("libcloud"));

const times = { created: noon, updated: noon };
const zone = {
  id: "1",
  domain: "example.com",
  type: "master",
  ttl: null,
  extra: {
    soa_email: "hostmaster@example.com",
    status: "active",
    description: "",
    tags: [],
    retry_sec: 0,
    master_ips: [],
    axfr_ips: [],
    expire_sec: 0,
    refresh_sec: 0,
    ...times,
  },
};
const secondary = {
  ...zone,
  id: "2",
  domain: "example.net",
  type: "slave",
  extra: { ...zone.extra, soa_email: "", master_ips: ["192.0.2.53"] },
};
const record = (id: string, type: string, name: string, data: string, extra: object = {}, ttl = 0) => ({
  id,
  name,
  type,
  data,
  ttl,
  extra: { port: 0, weight: 0, priority: 0, service: null, protocol: null, ...times, ...extra },
});

const srv = { service: "sip", protocol: "tcp", port: 5060, priority: 10, weight: 5 };

test.each(["documented", "live"] as const)(
  "creates, lists, updates and deletes zones and records, profile %s",
  async (profile) => {
    const api = await serve({ profile });
    const changed = { ...zone, ttl: 3600, extra: { ...zone.extra, description: "mine", tags: ["prod"] } };
    const www = record("1", "A", "www", "192.0.2.1");
    const www2 = record("1", "A", "www2", "192.0.2.2", {}, 300);
    const steps: Step[] = [
      ["dns.list_zones()", []],
      ["(zone := dns.create_zone('example.com', extra={'soa_email': 'hostmaster@example.com'}))", zone],
      ["(secondary := dns.create_zone('example.net', type='slave', extra={'master_ips': ['192.0.2.53']}))", secondary],
      ["dns.update_zone(zone, 'example.com', ttl=3600, extra={'description': 'mine', 'tags': ['prod']})", changed],
      ["dns.get_zone(zone.id)", changed],
      ["dns.list_zones()", [changed, secondary]],

      ["(www := zone.create_record('www', RecordType.A, '192.0.2.1'))", www],
      ["zone.create_record('', RecordType.AAAA, '2001:db8::1')", record("2", "AAAA", "", "2001:db8::1")],
      [
        "zone.create_record('ftp', RecordType.CNAME, 'www.example.com')",
        record("3", "CNAME", "ftp", "www.example.com"),
      ],
      [
        "zone.create_record(None, RecordType.MX, 'mail.example.com', extra={'priority': 10, 'ttl_sec': 300})",
        record("4", "MX", "", "mail.example.com", { priority: 10 }, 300),
      ],
      ["zone.create_record('sub', RecordType.NS, 'ns1.example.org')", record("5", "NS", "sub", "ns1.example.org")],
      ["zone.create_record('example.com', RecordType.TXT, 'v=spf1 -all')", record("6", "TXT", "", "v=spf1 -all")],
      [
        "zone.create_record(None, RecordType.SRV, 'sip.example.com', " +
          "extra={'service': 'sip', 'protocol': 'tcp', 'port': 5060, 'priority': 10, 'weight': 5})",
        record("7", "SRV", "_sip._tcp", "sip.example.com", srv),
      ],
      [
        "zone.create_record('', RecordType.CAA, 'letsencrypt.org', extra={'tag': 'issue'})",
        record("8", "CAA", "", "letsencrypt.org"),
      ],

      ["dns.get_record(zone.id, www.id)", www],
      ["dns.update_record(www, name='www2', data='192.0.2.2', extra={'ttl_sec': 300})", www2],
      ["[record.id for record in zone.list_records()]", ["1", "2", "3", "4", "5", "6", "7", "8"]],
      ["dns.delete_record(www)", true],
      ["[record.id for record in dns.list_records(zone)]", ["2", "3", "4", "5", "6", "7", "8"]],
    ];
    expect(await libcloud(api, steps)).toEqual(steps);
    expect(await api.records(1)).toEqual([
      { id: 2, type: "AAAA", name: "", target: "2001:db8::1" },
      { id: 3, type: "CNAME", name: "ftp", target: "www.example.com" },
      { id: 4, type: "MX", name: "", target: "mail.example.com", priority: 10, ttl_sec: 300 },
      { id: 5, type: "NS", name: "sub", target: "ns1.example.org" },
      { id: 6, type: "TXT", name: "", target: "v=spf1 -all" },
      { id: 7, type: "SRV", name: "_sip._tcp", target: "sip.example.com", ...srv },
      { id: 8, type: "CAA", name: "", target: "letsencrypt.org", tag: "issue" },
    ]);

    const end: Step[] = [
      ["[zone.delete() for zone in dns.list_zones()]", [true, true]],
      ["dns.list_zones()", []],
    ];
    expect(await libcloud(api, end)).toEqual(end);
    expect((await api.call("GET", "/domains")).body.data).toEqual([]);
  },
);

test("refusals carry the server's message", async () => {
  const api = await serve();
  await api.domain("example.com", [{ type: "CNAME", name: "ftp", target: "example.org" }]);
  await api.call("POST", "/domains", { domain: "example.net", type: "slave", master_ips: ["192.0.2.53"] });
  const steps: Step[] = [
    ["[(zone := dns.get_zone('1')).domain, (secondary := dns.get_zone('2')).domain]", ["example.com", "example.net"]],
    ["dns.get_zone('9')", "LibcloudError: Not found Status code: 404."],
    ["dns.get_record(zone.id, '9')", "LibcloudError: Not found Status code: 404."],
    [
      "dns.create_zone('example.org')",
      "LibcloudError: soa_email required when type=master-soa_email Status code: 400.",
    ],
    [
      "dns.create_zone('example.com', extra={'soa_email': 'hostmaster@example.com'})",
      "LibcloudError: DNS zone already exists.-domain Status code: 400.",
    ],
    [
      "zone.create_record('ftp', RecordType.A, '192.0.2.1')",
      "LibcloudError: Record conflict - CNAMES must be unique-name Status code: 400.",
    ],
    [
      "zone.create_record('www', RecordType.A, 'www')",
      "LibcloudError: Invalid IPv4 or IPv6 address-target Status code: 400.",
    ],
    [
      "zone.create_record('', RecordType.SOA, 'ns1.example.org')",
      "LibcloudError: Must be one of A, AAAA, NS, MX, CNAME, TXT, SRV, PTR, CAA-type Status code: 400.",
    ],
    [
      "secondary.create_record('www', RecordType.A, '192.0.2.1')",
      "LibcloudError: Zones must be set to the master type to update resource records using the API. Status code: 400.",
    ],
    ["other.list_zones()", "InvalidCredsError: Invalid Token"],
  ];
  const before = await api.records(1);
  expect(await libcloud(api, steps)).toEqual(steps);
  expect(await api.records(1)).toEqual(before);
});

test("reads lists of several pages", async () => {
  const api = await serve();
  const names = Array.from({ length: 30 }, (_, i) => `example-${i}.com`);
  for (const name of names) await api.domain(name);
  const hosts = names.map((_, i) => `host-${i}`);
  await api.domain(
    "example.com",
    hosts.map((name) => ({ type: "A", name, target: "192.0.2.1" })),
  );
  const steps: Step[] = [
    ["[zone.domain for zone in dns.list_zones()]", [...names, "example.com"]],
    ["[record.name for record in dns.get_zone('31').list_records()]", hosts],
  ];
  expect(await libcloud(api, steps)).toEqual(steps);
});
