import { refused } from "../start.ts";
import {
  domainWith,
  errorAnswer,
  master,
  ok,
  page,
  records,
  recordWith,
  type Sections,
  type Sentence,
  www,
} from "./kit.ts";

const filter = (value: unknown) => ({ "X-Filter": typeof value === "string" ? value : JSON.stringify(value) });
const text = (reason: string) => refused([reason, "X-Filter"]);
const a = { type: "A", target: "192.0.2.1" };

/**
 * decisions/service#replies, decisions/service#paging, decisions/service#x-filter and decisions/service#domains. Other
 * sections of that page have tables of their own: records in records.test.ts, Zone file in zone-file.test.ts and
 * import.test.ts, Events in events.test.ts, Store in store.test.ts, concurrent.test.ts and kill.test.ts.
 */
const plumbing: readonly Sentence[] = [
  // The head is prose: which of two texts counts. Its profiles are in every table that differs by them.
  ["every success 200, also creates", [["POST", records, a]], ok(recordWith())],
  [
    "clone 200",
    [["POST", "/domains/1/clone", { domain: "a.example" }]],
    ok(domainWith({ id: 2, domain: "a.example" })),
  ],
  ["DELETE 200 {}", [["DELETE", "/domains/1"]], ok({})],
  ["actions 200 {}", [["POST", "/account/events/1/read"]], ok({})],
  [
    "validation 400, several entries at once, of the schema and of the rules",
    [["POST", records, { type: "SRV", port: 65536, target: "a b" }]],
    refused(
      ["Must be 0-65535", "port"],
      ["priority is required", "priority"],
      ["weight is required", "weight"],
      ["Must be a hostname", "target"],
    ),
  ],
  [
    "the same of a domain",
    [["POST", "/domains", { domain: "EXAMPLE.com", type: "slave", ttl_sec: -1 }]],
    refused(
      ["Must be 0 or greater", "ttl_sec"],
      ["You need at least one master DNS server IP address for this zone.", "master_ips"],
      ["DNS zone already exists.", "domain"],
    ),
  ],
  [
    "what depends on a field that cannot be read is not guessed",
    [["POST", "/domains", { domain: "no", ttl_sec: -1 }]],
    refused(["type is required", "type"], ["Must be 0 or greater", "ttl_sec"]),
  ],
  ["field absent when there is none", [["POST", "/domains", "{"]], errorAnswer(400, "Invalid JSON")],
  [
    "nested: axfr_ips[0]",
    [["PUT", "/domains/1", { axfr_ips: [5] }]],
    refused(["Must be of type String", "axfr_ips[0]"]),
  ],
  ["body is not JSON: 400", [["PUT", "/domains/1", "domain=x"]], errorAnswer(400, "Invalid JSON")],
  ["no token: 401", [["GET", "/domains", undefined, { as: "" }]], errorAnswer(401, "Invalid Token")],
  // Unknown, expired, revoked; the scope; the grant: access.test.ts, for every endpoint.
  ["unknown path: 404", [["GET", "/nothing"]], errorAnswer(404, "Not found")],
  ["unknown id: 404", [["GET", "/domains/2"]], errorAnswer(404, "Not found")],
  ["wrong method on a known path: 405", [["PATCH", "/domains/1"]], errorAnswer(405, "Method Not Allowed")],
  // Too many: plumbing.test.ts. `Node busy.`, the cancelled account's 409, the limits of tickets and of accepted
  // transfers: no endpoint of this server. Headers, whole: plumbing.test.ts. Both prefixes and dates:
  // plumbing.test.ts.
  ["dates without a zone letter", [["GET", `${records}/1`]], ok(www)],
  ["page from 1", [["GET", "/domains?page=0"]], refused(["Must be 1 or greater", "page"])],
  ["page_size from 25", [["GET", "/domains?page_size=24"]], refused(["Must be 25-500", "page_size"])],
  // 25..100 is stated of tickets, replies, tags and tagged objects only (decisions/documents#conventions).
  ["page_size to 500, in the documented profile too", [["GET", "/domains?page_size=500"]], ok(page([domainWith()]))],
  [
    "empty list: pages 1",
    [
      ["DELETE", "/domains/1"],
      ["GET", "/domains"],
    ],
    ok(page([])),
  ],
  ["past the end: empty data", [["GET", "/domains?page=9"]], ok(page([], { page: 9, results: 1 }))],
  ["unknown query parameters are ignored", [["GET", "/domains/1?colour=blue&page=x"]], ok(domainWith())],
  ["X-Filter: keys AND", [["GET", records, undefined, filter({ type: "A", name: "web" })]], ok(page([]))],
  [
    "+and +or nest",
    [["GET", records, undefined, filter({ "+or": [{ name: "web" }, { "+and": [{ type: "A" }, { name: "www" }] }] })]],
    ok(page([www])),
  ],
  [
    "+gt +gte +lt +lte",
    [["GET", records, undefined, filter({ name: { "+gt": "w", "+gte": "www", "+lt": "x", "+lte": "www" } })]],
    ok(page([www])),
  ],
  [
    "+neq +contains",
    [["GET", records, undefined, filter({ name: { "+neq": "web", "+contains": "w" } })]],
    ok(page([www])),
  ],
  [
    "+order_by with +order",
    [
      ["POST", records, a],
      ["GET", records, undefined, filter({ "+order_by": "name", "+order": "asc" })],
    ],
    ok(page([recordWith(), www])),
  ],
  [
    "an array matches when it contains the scalar",
    [
      ["PUT", "/domains/1", { tags: ["prod", "web"] }],
      ["GET", "/domains", undefined, filter({ tags: "web" })],
    ],
    ok(page([domainWith({ tags: ["prod", "web"] })])),
  ],
  ["dotted keys", [["GET", "/account/events", undefined, filter({ "entity.id": 2 })]], ok(page([]))],
  ["not JSON", [["GET", "/domains", undefined, filter("{")]], text("Filter not valid JSON")],
  ["unknown key", [["GET", "/domains", undefined, filter({ colour: 1 })]], text("Cannot filter on colour")],
  ["unfilterable key", [["GET", "/domains", undefined, filter({ id: 1 })]], text("Cannot filter on id")],
  ["otherwise unusable", [["GET", "/domains", undefined, filter([])]], text("Could not apply filter")],
  ["lists only; ignored elsewhere", [["GET", "/domains/1", undefined, filter("{")]], ok(domainWith())],
  ["matches are exact", [["GET", records, undefined, filter({ name: "ww" })]], ok(page([]))],
  ["names match without regard to case", [["GET", records, undefined, filter({ name: "WWW" })]], ok(page([www]))],
  [
    "records answer name, type, target",
    [["GET", records, undefined, filter({ name: "www", type: "A", target: "192.0.2.1" })]],
    ok(page([www])),
  ],
  // A body on GET goes through HTTP only: node.test.ts.
  ["tolerated: body {} on DELETE", [["DELETE", `${records}/1`, {}]], ok({})],
  ["an empty JSON-typed body", [["DELETE", `${records}/1`, "", { "Content-Type": "application/json" }]], ok({})],
  ["null for arrays and names", [["PUT", "/domains/1", { axfr_ips: null, domain: null }]], ok(domainWith())],
  [
    "record names as FQDN",
    [["PUT", `${records}/1`, { name: "web.example.com" }]],
    ok(recordWith({ id: 1, name: "web" })),
  ],
  [
    "weight, port, priority on types that have none",
    [["POST", records, { ...a, weight: 1, port: 2, priority: 3 }]],
    ok(recordWith({ weight: 1, port: 2, priority: 3 })),
  ],
];

const all = { ...master, domain: "a.example" };
const made = (fields: object) => ok(domainWith({ id: 2, domain: "a.example", soa_email: master.soa_email, ...fields }));
const domains: readonly Sentence[] = [
  // Key order and defaults: domains.test.ts.
  ["POST: type is required", [["POST", "/domains", { domain: "a.example" }]], refused(["type is required", "type"])],
  [
    "soa_email required when type=master",
    [["POST", "/domains", { domain: "a.example", type: "master" }]],
    refused(["soa_email required when type=master", "soa_email"]),
  ],
  [
    "slave: master_ips",
    [["POST", "/domains", { domain: "a.example", type: "slave" }]],
    refused(["You need at least one master DNS server IP address for this zone.", "master_ips"]),
  ],
  ["Domain is required.", [["POST", "/domains", { ...all, domain: "" }]], refused(["Domain is required.", "domain"])],
  [
    "Domain is not valid.",
    [["POST", "/domains", { ...all, domain: "a b" }]],
    refused(["Domain is not valid.", "domain"]),
  ],
  ["letter case kept", [["POST", "/domains", { ...all, domain: "A.Example" }]], made({ domain: "A.Example" })],
  [
    "uniqueness case-blind",
    [["POST", "/domains", { ...all, domain: "EXAMPLE.com" }]],
    refused(["DNS zone already exists.", "domain"]),
  ],
  [
    "xn-- labels",
    [["POST", "/domains", { ...all, domain: "xn--a-0ga.example" }]],
    made({ domain: "xn--a-0ga.example" }),
  ],
  ["first label *", [["POST", "/domains", { ...all, domain: "*.a.example" }]], made({ domain: "*.a.example" })],
  ["PUT is partial", [["PUT", "/domains/1", { group: "web" }]], ok(domainWith({ group: "web" }))],
  [
    "[] empties",
    [
      ["PUT", "/domains/1", { axfr_ips: ["192.0.2.9"] }],
      ["PUT", "/domains/1", { axfr_ips: [] }],
    ],
    ok(domainWith()),
  ],
  [
    "0 resets a time",
    [
      ["PUT", "/domains/1", { ttl_sec: 300 }],
      ["PUT", "/domains/1", { ttl_sec: 0 }],
    ],
    ok(domainWith()),
  ],
  ["renaming works", [["PUT", "/domains/1", { domain: "a.example" }]], ok(domainWith({ domain: "a.example" }))],
  [
    "type may change when the other fields allow it",
    [["PUT", "/domains/1", { type: "slave", master_ips: ["192.0.2.9"] }]],
    ok(domainWith({ type: "slave", master_ips: ["192.0.2.9"] })),
  ],
  [
    "and not when they do not",
    [["PUT", "/domains/1", { type: "slave" }]],
    refused(["You need at least one master DNS server IP address for this zone.", "master_ips"]),
  ],
  ["documented: the nearest", [["PUT", "/domains/1", { ttl_sec: 5399 }]], ok(domainWith({ ttl_sec: 3600 }))],
  ["a tie goes up", [["PUT", "/domains/1", { ttl_sec: 5400 }]], ok(domainWith({ ttl_sec: 7200 }))],
  [
    "live: always up",
    [["PUT", `${records}/1`, { ttl_sec: 121 }]],
    ok(recordWith({ id: 1, name: "www", ttl_sec: 300 })),
    "live",
  ],
  [
    "above the maximum the maximum",
    [["PUT", `${records}/1`, { ttl_sec: 9999999 }]],
    ok(recordWith({ id: 1, name: "www", ttl_sec: 2419200 })),
    "live",
  ],
  // The meaning of 0 when rendered: zone-file.test.ts.
  [
    "tags 3..50 characters",
    [["PUT", "/domains/1", { tags: ["ab"] }]],
    refused(["Length must be 3-50 characters", "tags[0]"]),
  ],
  ["tags compared case-blind", [["PUT", "/domains/1", { tags: ["Prod", "PROD"] }]], ok(domainWith({ tags: ["Prod"] }))],
  // Clone, delete: domains.test.ts. 12,000 records: concurrent.test.ts.
  [
    "slave zones refuse record writes",
    [
      ["PUT", "/domains/1", { type: "slave", master_ips: ["192.0.2.9"] }],
      ["DELETE", `${records}/1`],
    ],
    errorAnswer(400, "Zones must be set to the master type to update resource records using the API."),
  ],
  [
    "import: Bad name",
    [["POST", "/domains/import", { domain: "a b", remote_nameserver: "a b" }]],
    refused(["Domain is not valid.", "domain"], ["The nameserver 'a b' is not valid.", "remote_nameserver"]),
  ],
  [
    "import: a domain that is there",
    [["POST", "/domains/import", { domain: "Example.com", remote_nameserver: "192.0.2.1:53" }]],
    refused(["DNS zone already exists.", "domain"]),
  ],
  [
    "import: a transfer that fails, profile live",
    [["POST", "/domains/import", { domain: "a.example", remote_nameserver: "[2001:db8::1]:53" }]],
    errorAnswer(400, "An unknown error occured. Please open a ticket for further assistance."),
    "live",
  ],
];

export const serviceSections: Sections = {
  "decisions/service#replies, decisions/service#paging, decisions/service#x-filter": plumbing,
  "decisions/service#domains": domains,
};
