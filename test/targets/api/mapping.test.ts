import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ApiRecord, type ApiRecordType, recordTypes } from "../../../src/contract/resources/record.ts";
import { checkZone } from "../../../src/dns/check.ts";
import type { RdataByType } from "../../../src/dns/types/index.ts";
import { canonical, isType, type Zone, type ZoneRecord } from "../../../src/dns/zone/zone.ts";
import { readRecord } from "../../../src/server/areas/domains/domain-rules.ts";
import { accept } from "../../../src/targets/api/accept.ts";
import { type ApiRecordFields, apiName, fromApi, isApiType, toApi } from "../../../src/targets/api/mapping.ts";
import { zone } from "../../dns/arbitrary.ts";
import { domainName } from "../../names.ts";
import { samples } from "../../properties.ts";

const name = domainName("example.com.");

type CaseOf<T extends ApiRecordType> = [
  comment: string,
  owner: string,
  type: T,
  data: RdataByType[T],
  sent: object,
  stored?: object,
];
type Case = { [T in ApiRecordType]: CaseOf<T> }[ApiRecordType];

/**
 * By hand from decisions/documents#records and decisions/service#records: the sent and the stored fields, then.
 */
const cases: Case[] = [
  ["A", "www.example.com.", "A", { address: "192.0.2.1" }, { type: "A", name: "www", target: "192.0.2.1" }],
  ["A at the apex", "example.com.", "A", { address: "192.0.2.1" }, { type: "A", name: "", target: "192.0.2.1" }],
  [
    "a name that ends in that of the domain twice",
    "www.example.com.example.com.",
    "A",
    { address: "192.0.2.1" },
    { type: "A", name: "www.example.com.example.com", target: "192.0.2.1" },
    { type: "A", name: "www.example.com", target: "192.0.2.1" },
  ],
  [
    "a wildcard",
    "*.dev.example.com.",
    "A",
    { address: "192.0.2.1" },
    { type: "A", name: "*.dev", target: "192.0.2.1" },
  ],
  [
    "several labels",
    "a._b.c.example.com.",
    "A",
    { address: "192.0.2.1" },
    { type: "A", name: "a._b.c", target: "192.0.2.1" },
  ],
  [
    "AAAA",
    "www.example.com.",
    "AAAA",
    { address: "2001:db8::1" },
    { type: "AAAA", name: "www", target: "2001:db8::1" },
  ],
  [
    "CNAME inside the zone",
    "www.example.com.",
    "CNAME",
    { cname: domainName("host.example.com.") },
    { type: "CNAME", name: "www", target: "host.example.com" },
  ],
  [
    "CNAME to the zone",
    "www.example.com.",
    "CNAME",
    { cname: domainName("example.com.") },
    { type: "CNAME", name: "www", target: "example.com" },
  ],
  [
    "CNAME elsewhere",
    "www.example.com.",
    "CNAME",
    { cname: domainName("Host.example.NET.") },
    { type: "CNAME", name: "www", target: "Host.example.NET" },
  ],
  [
    "CNAME to one label",
    "www.example.com.",
    "CNAME",
    { cname: domainName("localhost.") },
    { type: "CNAME", name: "www", target: "localhost" },
  ],
  [
    "NS",
    "sub.example.com.",
    "NS",
    { nsdname: domainName("ns1.example.net.") },
    { type: "NS", name: "sub", target: "ns1.example.net" },
  ],
  [
    "PTR",
    "1.example.com.",
    "PTR",
    { ptrdname: domainName("host.example.net.") },
    { type: "PTR", name: "1", target: "host.example.net" },
  ],
  [
    "MX",
    "example.com.",
    "MX",
    { preference: 10, exchange: domainName("mail.example.com.") },
    { type: "MX", name: "", priority: 10, target: "mail.example.com" },
  ],
  [
    "MX with priority 0",
    "example.com.",
    "MX",
    { preference: 0, exchange: domainName("mail.example.net.") },
    { type: "MX", name: "", priority: 0, target: "mail.example.net" },
  ],
  [
    "null MX: no target",
    "example.com.",
    "MX",
    { preference: 0, exchange: domainName(".") },
    { type: "MX", name: "", priority: 0, target: "" },
  ],
  [
    "SRV: the name that the API builds",
    "_sip._tcp.example.com.",
    "SRV",
    { priority: 10, weight: 60, port: 5060, target: domainName("sip.example.com.") },
    { type: "SRV", service: "sip", protocol: "tcp", priority: 10, weight: 60, port: 5060, target: "sip.example.com" },
    { name: "_sip._tcp" },
  ],
  [
    "SRV below the apex: the protocol contains the place",
    "_sip._tcp.sub.example.com.",
    "SRV",
    { priority: 0, weight: 0, port: 0, target: domainName("sip.example.net.") },
    { type: "SRV", service: "sip", protocol: "tcp.sub", priority: 0, weight: 0, port: 0, target: "sip.example.net" },
    { name: "_sip._tcp.sub" },
  ],
  [
    "SRV further below",
    "_xmpp-client._tcp.a.b.example.com.",
    "SRV",
    { priority: 1, weight: 2, port: 3, target: domainName("example.com.") },
    {
      type: "SRV",
      service: "xmpp-client",
      protocol: "tcp.a.b",
      priority: 1,
      weight: 2,
      port: 3,
      target: "example.com",
    },
    { name: "_xmpp-client._tcp.a.b" },
  ],
  [
    "SRV without a server",
    "_sip._tcp.example.com.",
    "SRV",
    { priority: 0, weight: 0, port: 0, target: domainName(".") },
    { type: "SRV", service: "sip", protocol: "tcp", priority: 0, weight: 0, port: 0, target: "" },
    { name: "_sip._tcp" },
  ],
  ["TXT", "example.com.", "TXT", { strings: ["v=spf1 -all"] }, { type: "TXT", name: "", target: "v=spf1 -all" }],
  [
    "TXT with quotes, semicolons, backslashes",
    "a.example.com.",
    "TXT",
    { strings: ['a "b"; \\c'] },
    { type: "TXT", name: "a", target: 'a "b"; \\c' },
  ],
  [
    "TXT in UTF-8",
    "a.example.com.",
    "TXT",
    { strings: ["\u00c3\u00a9\u00e2\u0082\u00ac\u00f0\u009f\u008e\u008c"] },
    { type: "TXT", name: "a", target: "é€🎌" },
  ],
  [
    "TXT of 600 bytes",
    "a.example.com.",
    "TXT",
    { strings: ["x".repeat(255), "x".repeat(255), "x".repeat(90)] },
    { type: "TXT", name: "a", target: "x".repeat(600) },
  ],
  [
    "TXT split inside a character",
    "a.example.com.",
    "TXT",
    { strings: [`${"\u00c3\u00a9".repeat(127)}\u00c3`, "\u00a9"] },
    { type: "TXT", name: "a", target: "é".repeat(128) },
  ],
  ["TXT without text", "a.example.com.", "TXT", { strings: [""] }, { type: "TXT", name: "a", target: "" }],
  [
    "CAA",
    "example.com.",
    "CAA",
    { flags: 0, tag: "issue", value: "letsencrypt.org" },
    { type: "CAA", name: "", tag: "issue", target: "letsencrypt.org" },
  ],
  [
    "CAA that forbids all issuers",
    "example.com.",
    "CAA",
    { flags: 0, tag: "issuewild", value: ";" },
    { type: "CAA", name: "", tag: "issuewild", target: ";" },
  ],
  [
    "CAA for reports",
    "a.example.com.",
    "CAA",
    { flags: 0, tag: "iodef", value: "mailto:a@example.com" },
    { type: "CAA", name: "a", tag: "iodef", target: "mailto:a@example.com" },
  ],
];

describe.each(cases)("%s", (...[, owner, type, data, sent, stored]) => {
  test("is sent", () => {
    expect(toApi({ owner: domainName(owner), type, data, ttl: undefined }, name)).toEqual({ ttl_sec: 0, ...sent });
    expect(toApi({ owner: domainName(owner), type, data, ttl: 300 }, name)).toEqual({ ttl_sec: 300, ...sent });
  });

  test("is read back", () => {
    const record = apiRecord({ ...sent, ...stored });
    expect(fromApi(record, name)).toEqual({ owner, type, ttl: undefined, data });
    expect(fromApi({ ...record, ttl_sec: 3600 }, name)).toEqual({ owner, type, ttl: 3600, data });
  });
});

/** Records that other clients may have stored. */
test.each<[string, Partial<ApiRecord>, string, string]>([
  [
    "a target with its final dot",
    { type: "CNAME", name: "www", target: "host.example.net." },
    "www.example.com.",
    "host.example.net.",
  ],
  ["an MX target that is a dot", { type: "MX", name: "", target: "." }, "example.com.", "0 ."],
  [
    "an SRV target without dots is a name of the zone",
    { type: "SRV", name: "_sip._tcp", target: "sip", port: 1 },
    "_sip._tcp.example.com.",
    "0 0 1 sip.example.com.",
  ],
  [
    "an SRV target with a final dot",
    { type: "SRV", name: "_sip._tcp", target: "sip." },
    "_sip._tcp.example.com.",
    "0 0 0 sip.",
  ],
  [
    "an MX target without dots is no name of the zone",
    { type: "MX", name: "", target: "mail", priority: 5 },
    "example.com.",
    "5 mail.",
  ],
  [
    "an address in another spelling",
    { type: "AAAA", name: "a", target: "2001:DB8:0:0::0001" },
    "a.example.com.",
    "2001:db8::1",
  ],
  ["a tag in capitals", { type: "CAA", name: "", tag: "ISSUE", target: "a.b" }, "example.com.", '0 issue "a.b"'],
  [
    "fields of other types",
    { type: "A", name: "a", target: "192.0.2.1", priority: 9, weight: 9, port: 9, tag: "issue" },
    "a.example.com.",
    "192.0.2.1",
  ],
  ["a name in other letter case", { type: "A", name: "WWW", target: "192.0.2.1" }, "WWW.example.com.", "192.0.2.1"],
  [
    "a target in UTF-8",
    { type: "CNAME", name: "a", target: "bücher.example.net" },
    "a.example.com.",
    "b\\195\\188cher.example.net.",
  ],
])("stored: %s", (_, stored, owner, rdata) => {
  const record = fromApi(apiRecord(stored), name);
  expect([record.owner, canonical(record)]).toEqual([owner, rdata]);
});

test.each<[string, Partial<ApiRecord>, string]>([
  ["an invalid address", { type: "A", target: "192.0.2" }, "not an IPv4 address"],
  ["an invalid name", { type: "A", name: "a..b", target: "192.0.2.1" }, "the name has an empty label"],
  ["an invalid target", { type: "CNAME", name: "a", target: "a..b" }, "the name has an empty label"],
])("stored: %s", (_, stored, message) => {
  expect(() => fromApi(apiRecord(stored), name)).toThrow(message);
});

test("supports exactly the types of the API", () => {
  expect(recordTypes.filter((type) => !isApiType(type))).toEqual([]);
  expect(["SOA", "DNAME", "toString", "__proto__"].filter(isApiType)).toEqual([]);
});

test.each([
  ["example.com.", ""],
  ["EXAMPLE.com.", ""],
  ["www.example.com.", "www"],
  ["a.b.EXAMPLE.COM.", "a.b"],
])("the name of %s is %j", (owner, expected) => {
  expect(apiName(domainName(owner), name)).toBe(expected);
});

test("the server accepts what rules and limits allow, and returns the same record", () => {
  fc.assert(
    fc.property(zone, values, (given, values) => {
      const zone = { ...given, file: "zone", records: given.records.map((record) => plausible(record, values)) };
      for (const record of zone.records) {
        const alone: Zone = { ...zone, settings: { soa_email: "a@b.c" }, records: [record] };
        const { desired, problems } = accept(alone);
        if ([...checkZone(alone), ...problems].some(({ severity }) => severity === "error")) continue;
        for (const accepted of desired.records) {
          const sent = toApi(accepted, zone.name);
          const { fields, errors } = store(sent, zone.name);
          expect({ sent, errors }).toEqual({ sent, errors: [] });
          const back = fromApi(apiRecord({ ...sent, ...fields }), zone.name);
          expect({ sent, owner: back.owner.toLowerCase(), ttl: back.ttl, rdata: canonical(back) }).toEqual({
            sent,
            owner: accepted.owner.toLowerCase(),
            ttl: accepted.ttl,
            rdata: canonical(accepted),
          });
        }
      }
    }),
    samples(300),
  );
});

/** Values that the API supports, and some that it does not, which random text would hardly contain. */
const values = fc.record({
  priority: fc.nat(300),
  service: fc.constantFrom(
    "_sip._tcp.",
    "_SIP._udp.",
    "__sip.__tcp.",
    "_a-b._c_.",
    "_1._2._3.",
    "sip.tcp.",
    "_*._tcp.",
    "",
  ),
  caa: fc.record({
    flags: fc.constantFrom(0, 0, 0, 128),
    tag: fc.constantFrom("issue", "issuewild", "iodef", "tbs"),
    value: fc.constantFrom(
      ...["letsencrypt.org", ";", "a.b; x=y", " a.b ", "", "a b", "a..b", "\u00c3\u00a9"],
      ...["mailto:a@b", "mailto:", "https://x/", "http://", "https:x y"],
    ),
  }),
});

function plausible(
  record: ZoneRecord,
  { priority, service, caa }: typeof values extends fc.Arbitrary<infer T> ? T : never,
): ZoneRecord {
  if (record.type === "CAA") return { ...record, data: caa };
  if (isType(record, "MX")) return { ...record, data: { ...record.data, preference: priority } };
  return isType(record, "SRV")
    ? { ...record, owner: domainName(`${service}${record.owner}`), data: { ...record.data, priority } }
    : record;
}

function store({ type, ...sent }: ApiRecordFields, zone: string) {
  return readRecord(type, sent, undefined, {
    domain: zone.slice(0, -1),
    remoteAddress: undefined,
    profile: "documented",
  });
}

function apiRecord(fields: object): ApiRecord {
  return {
    id: 1,
    type: "A",
    name: "",
    target: "",
    priority: 0,
    weight: 0,
    port: 0,
    service: null,
    protocol: null,
    ttl_sec: 0,
    tag: null,
    created: "2026-01-01T00:00:00",
    updated: "2026-01-01T00:00:00",
    ...fields,
  };
}
