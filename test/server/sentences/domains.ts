import { setAccess } from "../../../src/server/areas/account/users-operator.ts";
import { refused } from "../start.ts";
import {
  by,
  domainWith,
  filter,
  master,
  ok,
  page,
  records,
  recordWith,
  type Sections,
  type Sentence,
  wrongLength,
  www,
} from "./kit.ts";

const put = (fields: object): Sentence[1] => [["PUT", "/domains/1", fields]];
const post = (fields: object): Sentence[1] => [["POST", records, fields]];
const length = (most: number, field: string) => wrongLength(`1-${most}`, field);

/**
 * The fields of a domain, one row for each (decisions/documents#domains). "Display only", "seconds before …" are prose.
 */
const domain: readonly Sentence[] = [
  ["axfr_ips: array of strings", put({ axfr_ips: ["192.0.2.1"] }), ok(domainWith({ axfr_ips: ["192.0.2.1"] }))],
  ["axfr_ips: IPs", put({ axfr_ips: ["ns.example"] }), refused(["Invalid IPv4 or IPv6 address", "axfr_ips[0]"])],
  ["description: to 255", put({ description: "x".repeat(255) }), ok(domainWith({ description: "x".repeat(255) }))],
  ["description: not 256", put({ description: "x".repeat(256) }), length(255, "description")],
  // Its 1..255 holds of what is set: "" is the value of a domain that has none (decisions/service#domains).
  ["description: none", put({ description: "" }), ok(domainWith())],
  ["domain: filterable", [["GET", "/domains", undefined, filter({ domain: "example.com" })]], ok(page([domainWith()]))],
  ["domain: to 255", put({ domain: `${"a.".repeat(125)}example` }), length(255, "domain")],
  ["domain: labels to 63", put({ domain: `${"a".repeat(64)}.example` }), refused(["Domain is not valid.", "domain"])],
  [
    "domain: unique",
    [["POST", "/domains", { ...master, domain: "example.com" }]],
    refused(["DNS zone already exists.", "domain"]),
  ],
  [
    "domain: required on create",
    [["POST", "/domains", { type: "master", soa_email: "a@b.example" }]],
    refused(["Domain is required.", "domain"]),
  ],
  ["expire_sec: integer", put({ expire_sec: 1.5 }), refused(["Must be an integer", "expire_sec"])],
  ["expire_sec", put({ expire_sec: 604800 }), ok(domainWith({ expire_sec: 604800 }))],
  ["group: filterable", [["GET", "/domains", undefined, filter({ group: "web" })]], ok(page([]))],
  ["group: to 50", put({ group: "x".repeat(51) }), length(50, "group")],
  ["id: integer, the service's", put({ id: 7 }), ok(domainWith())],
  [
    "master_ips: addresses",
    put({ master_ips: ["192.0.2.1", "x"] }),
    refused(["Invalid IPv4 or IPv6 address", "master_ips[1]"]),
  ],
  ["refresh_sec", put({ refresh_sec: 3600 }), ok(domainWith({ refresh_sec: 3600 }))],
  ["retry_sec", put({ retry_sec: 3600 }), ok(domainWith({ retry_sec: 3600 }))],
  ["soa_email: string e-mail", put({ soa_email: "nobody" }), refused(["Must be an e-mail address", "soa_email"])],
  ["status: disabled, active", put({ status: "paused" }), refused(["Must be one of disabled, active", "status"])],
  ["status: default active", [["GET", "/domains/1"]], ok(domainWith({ status: "active" }))],
  [
    "status: controls whether the domain is rendered",
    [...put({ status: "disabled" }), ["GET", "/domains/1/zone-file"]],
    ok({ zone_file: [] }),
  ],
  ["tags: filterable", [["GET", "/domains", undefined, filter({ tags: "prod" })]], ok(page([]))],
  ["ttl_sec", put({ ttl_sec: 3600 }), ok(domainWith({ ttl_sec: 3600 }))],
  ["type: master, slave", put({ type: "primary" }), refused(["Must be one of master, slave", "type"])],
  ["type: required on create", [["POST", "/domains", { domain: "a.example" }]], refused(["type is required", "type"])],
  // "Which type requires soa_email or master_ips, and the ranges of the times: not shown": service.ts.
];

/** The fields of a record, one row for each (decisions/documents#records). */
const a = { type: "A", target: "192.0.2.1" };
const srv = {
  type: "SRV",
  service: "sip",
  protocol: "tcp",
  port: 5060,
  priority: 1,
  weight: 2,
  target: "sip.example",
};
const without = (field: keyof typeof srv) => post({ ...srv, [field]: undefined });
const required = (field: string) => refused([`${field} is required`, field]);
const domainRecord: readonly Sentence[] = [
  ["created, updated: date-time; id: integer", [["GET", `${records}/1`]], ok(www)],
  ["created, updated, id are the service's", post({ ...a, id: 9, created: "x", updated: "x" }), ok(recordWith())],
  ["name: to 100", post({ ...a, name: `${"a.".repeat(50)}a` }), length(100, "name")],
  ["name: 100", post({ ...a, name: `${"a.".repeat(49)}aa` }), ok(recordWith({ name: `${"a.".repeat(49)}aa` }))],
  ["port: 0..65535", post({ ...srv, port: 65536 }), refused(["Must be 0-65535", "port"])],
  ["port: not below", post({ ...srv, port: -1 }), refused(["Must be 0-65535", "port"])],
  ["port: required there", without("port"), required("port")],
  ["priority: 0..255", post({ ...srv, priority: 256 }), refused(["Must be 0-255", "priority"])],
  [
    "priority: MX",
    post({ type: "MX", priority: 10, target: "mail.example" }),
    ok(recordWith({ type: "MX", priority: 10, target: "mail.example" })),
  ],
  ["priority: required for SRV", without("priority"), required("priority")],
  // "Lower is preferred", "higher is preferred" are for who reads the zone.
  ["protocol: string or null", post({ ...a, protocol: null }), ok(recordWith())],
  ["service: string or null", post({ ...a, service: 5 }), refused(["Must be of type String", "service"])],
  ["service and protocol of an SRV", post(srv), ok(recordWith({ ...srv, name: "_sip._tcp" }))],
  [
    "tag: issue, issuewild, iodef",
    post({ type: "CAA", tag: "x", target: "ca.example" }),
    refused(["Must be one of issue, issuewild, iodef", "tag"]),
  ],
  ["tag: filterable", [["GET", records, undefined, filter({ tag: "issue" })]], ok(page([]))],
  ["tag: CAA only", post({ ...a, tag: "issue" }), ok(recordWith())],
  ["tag: required there", post({ type: "CAA", target: "ca.example" }), required("tag")],
  [
    "target: a trailing period is accepted",
    post({ type: "MX", target: "mail.example." }),
    ok(recordWith({ type: "MX", target: "mail.example" })),
  ],
  ["target: except A", post({ type: "A", target: "192.0.2.1." }), refused(["Invalid IPv4 or IPv6 address", "target"])],
  [
    "target: except AAAA",
    post({ type: "AAAA", target: "2001:db8::1." }),
    refused(["Invalid IPv4 or IPv6 address", "target"]),
  ],
  [
    "target: except CAA",
    post({ type: "CAA", tag: "issue", target: "ca.example." }),
    refused(["Must be a domain, with parameters after a semicolon, or a semicolon alone", "target"]),
  ],
  // Open in both texts: whether a name may look like an address. It may; the client's checks warn of it.
  [
    "target: a name that looks like an address",
    post({ type: "CNAME", name: "a", target: "192.0.2.1" }),
    ok(recordWith({ type: "CNAME", name: "a", target: "192.0.2.1" })),
  ],
  ...[300, 3600, 7200, 14400, 28800, 57600, 86400, 172800, 345600, 604800, 1209600, 2419200].map(
    (ttl_sec): Sentence => [`ttl_sec: ${ttl_sec}`, post({ ...a, ttl_sec }), ok(recordWith({ ttl_sec }))],
  ),
  ["ttl_sec: rounded to the nearest", post({ ...a, ttl_sec: 100000 }), ok(recordWith({ ttl_sec: 86400 }))],
  [
    "type: nine of them",
    post({ ...a, type: "LOC" }),
    refused(["Must be one of A, AAAA, NS, MX, CNAME, TXT, SRV, PTR, CAA", "type"]),
  ],
  ["type: required on create", post({ target: "192.0.2.1" }), required("type")],
  ["weight: 0..65535", post({ ...srv, weight: 65536 }), refused(["Must be 0-65535", "weight"])],
  ["weight: required there", without("weight"), required("weight")],
];

/** The endpoints of domains and records, one row for each (decisions/documents#domains). */
const record = { type: "TXT", name: "a", target: "b", priority: 1, weight: 2, port: 3, ttl_sec: 300 };
const first = ["; example.com [1]", "$TTL 86400"];
const soa = "@  IN  SOA  ns1.example.net. hostmaster.example.com. 2026000001 14400 14400 1209600 86400";
const endpoints: readonly Sentence[] = [
  ["GET /domains", [["GET", "/domains?page=1&page_size=25"]], ok(page([domainWith()]))],
  [
    "POST /domains",
    [["POST", "/domains", master]],
    ok(domainWith({ id: 2, domain: "example.org", soa_email: master.soa_email })),
  ],
  [
    "POST /domains/import: domain and remote_nameserver required",
    [["POST", "/domains/import", {}]],
    refused(["Domain is required.", "domain"], ["remote_nameserver is required", "remote_nameserver"]),
  ],
  [
    "POST /domains/import: domain; the zone is transferred from remote_nameserver",
    [["POST", "/domains/import", { domain: "example.org", remote_nameserver: "192.0.2.53" }]],
    ok(
      domainWith({
        id: 2,
        domain: "example.org",
        soa_email: "hostmaster@example.org",
        ttl_sec: 300,
        refresh_sec: 7200,
        retry_sec: 3600,
        expire_sec: 1209600,
      }),
    ),
  ],
  ["GET /domains/{domainId}", [["GET", "/domains/1"]], ok(domainWith())],
  [
    "PUT /domains/{domainId}: any create fields",
    put({ type: "master", description: "mine" }),
    ok(domainWith({ description: "mine" })),
  ],
  ["DELETE /domains/{domainId}: {}; deletes all its records", [["DELETE", "/domains/1"]], ok({})],
  ["POST …/clone: domain required", [["POST", "/domains/1/clone", {}]], refused(["Domain is required.", "domain"])],
  [
    "POST …/clone: copies tags, also by a restricted user, who may not change them",
    [
      ["PUT", "/domains/1", { tags: ["prod"] }],
      by("read_write", ["GET", "/domains/1"]),
      { operator: (store, now) => setAccess(store, "read_write", { addDomains: true }, now) },
      by("read_write", ["POST", "/domains/1/clone", { domain: "a.example" }]),
    ],
    ok(domainWith({ id: 2, domain: "a.example", tags: ["prod"] })),
  ],
  [
    "POST …/clone: copies all records",
    [
      ["POST", "/domains/1/clone", { domain: "a.example" }],
      ["GET", "/domains/2/records"],
    ],
    ok(page([recordWith({ name: "www" })])),
  ],
  ["GET …/records", [["GET", `${records}?page=1&page_size=25`]], ok(page([www]))],
  ["POST …/records", post(record), ok(recordWith(record))],
  ["GET …/records/{recordId}", [["GET", `${records}/1`]], ok(www)],
  [
    "PUT …/records/{recordId}: any record fields",
    [["PUT", `${records}/1`, { target: "192.0.2.2" }]],
    ok(recordWith({ id: 1, name: "www", target: "192.0.2.2" })),
  ],
  ["DELETE …/records/{recordId}: {}", [["DELETE", `${records}/1`]], ok({})],
  [
    "GET …/zone-file: the lines",
    [["GET", "/domains/1/zone-file"]],
    ok({ zone_file: [...first, soa, "@ NS ns1.example.net.", "www A 192.0.2.1"] }),
  ],
  // The transfer source addresses of an import are the server's own. "Shortly afterwards": zone-file.test.ts, delay.
];

export const domainSections: Sections = {
  "decisions/documents#domains: fields": domain,
  "decisions/documents#records": domainRecord,
  "decisions/documents#domains: endpoints": endpoints,
};
