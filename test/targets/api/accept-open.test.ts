import { describe, expect, test } from "vitest";
import { rdataText, type Zone } from "../../../src/dns/zone/zone.ts";
import { acceptOpen } from "../../../src/targets/api/accept.ts";
import { fromApi, toOpenApi } from "../../../src/targets/api/mapping.ts";
import { readBind } from "../../formats/api.ts";
import { domainName } from "../../names.ts";
import { start } from "../../server/start.ts";

const head = ";@ soa_email: a@example.com\n";

function read(text: string, settings = head): Zone {
  const bytes = Buffer.from(`$TTL 77\n${settings}${text}\n`);
  return readBind({ file: "zone", bytes, origin: domainName("example.com.") }).zone;
}

/** The records as the server is to store them, and the problems. */
function accepted(zone: Zone, strict = false) {
  const { desired, problems } = acceptOpen(zone, { strict });
  return {
    records: desired.records.map((one) => `${one.owner} ${one.ttl ?? ""} ${one.type} ${rdataText(one)}`),
    problems: problems.map(({ id, severity, summary }) => `${severity}[${id}] ${summary}`),
  };
}

describe("stored as it is", () => {
  test.each([
    ["an unknown type", "a.example.com. 30 TYPE65280 \\# 2 0A0B"],
    ["ALIAS at the apex", "example.com.  ALIAS www.example.net."],
    ["a server at the apex", "example.com. 7 NS ns.example.net."],
    ["a text of several strings", 'a.example.com.  TXT "a" "" "b"'],
    ["octets that are no text", 'a.example.com.  TXT "\\000\\200"'],
    ["an empty issuer, flags and a tag of CAA", 'a.example.com.  CAA 128 Issue ""'],
    ["another tag of CAA", 'a.example.com.  CAA 0 contactemail "a@example.com"'],
    ["a preference above 255", "a.example.com.  MX 65535 mail.example.net."],
    ["a priority above 255", "a.example.com.  SRV 65535 1 1 one."],
    ["an SRV record of an instance", "one._http._tcp.example.com.  SRV 1 1 1 a.example.net."],
    ["the root", "a.example.com.  PTR ."],
    ["a target with odd characters", "a.example.com.  PTR a\\.b.example.net."],
    ["an asterisk inside", "a.*.example.com.  A 192.0.2.1"],
    [
      "a name of 253 octets",
      `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(58)}.example.com.  A 192.0.2.1`,
    ],
    [
      "keys",
      "example.com.  DNSKEY 257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==",
    ],
    ["a record of a signer", "example.com.  NSEC3PARAM 1 0 0 -"],
    ["a TTL of a second", "a.example.com. 1 A 192.0.2.1"],
    ["the longest TTL", "a.example.com. 2147483647 A 192.0.2.1"],
  ])("%s", async (_, record) => {
    const zone = read(record.replace("  ", " "));
    expect(accepted(zone)).toEqual({ records: [record], problems: [] });
    const [sent] = acceptOpen(zone).desired.records;
    if (!sent) throw new Error("the record is accepted");
    const { call, domain } = await start({ records: "open" });
    await domain("example.com");
    const { body } = await call("POST", "/domains/1/records", toOpenApi(sent, zone.name));
    expect(fromApi(body, zone.name)).toEqual({ owner: sent.owner, type: sent.type, ttl: sent.ttl, data: sent.data });
  });
});

test("times of the zone are not rounded", () => {
  const times = { ttl_sec: 77, refresh_sec: 1, retry_sec: 2, expire_sec: 2147483647 };
  const settings = Object.entries(times).map(([name, seconds]) => `;@ ${name}: ${seconds}\n`);
  const { desired, problems } = acceptOpen(read("a A 192.0.2.1", `;@ soa_email: a@example.com\n${settings.join("")}`));
  expect([desired.settings, desired.otherTimes, problems]).toEqual([
    { soa_email: "a@example.com", type: "master", ...times },
    {},
    [],
  ]);
});

test.each<[what: string, text: string, records: string[], problems: string[]]>([
  [
    "the SOA record is made from settings",
    "@ SOA ns1 hostmaster 1 4h 4h 2w 1h\na A 192.0.2.1",
    ["a.example.com.  A 192.0.2.1"],
    [],
  ],
  [
    "a TTL of 0 means the zone's default there",
    "a 0 A 192.0.2.1",
    ["a.example.com. 1 A 192.0.2.1"],
    ["note[ttl-rounded] example.com a A: ttl_sec 0 is stored as 1"],
  ],
  ["equal records are stored once", "a A 192.0.2.1\nA A 192.0.2.1", ["a.example.com.  A 192.0.2.1"], []],
  [
    "texts in two splits are two",
    'a TXT "ab"\na TXT "a" "b"',
    ['a.example.com.  TXT "ab"', 'a.example.com.  TXT "a" "b"'],
    [],
  ],
  [
    "RDATA that no message holds",
    `a TYPE65280 \\# 64001 ${"00".repeat(64001)}`,
    [],
    ["error[data-length] a TYPE65280 has 64,001 octets of RDATA; the limit is 64,000"],
  ],
  [
    "of a set that no message holds, what fits",
    [..."abc"]
      .map((owner, at) => `${owner === "a" ? "a" : "A"} TYPE65280 \\# 31994 ${`0${at}`.repeat(31994)}`)
      .join("\n"),
    ["00", "01"].map((octet, at) => `${at ? "A" : "a"}.example.com.  TYPE65280 \\# 31994 ${octet.repeat(31994)}`),
    ["error[rrset-length] the TYPE65280 records of A have 96,018 octets in a DNS message; the limit is 64,012"],
  ],
  [
    "addresses up to the limit, and some twice",
    Array.from({ length: 4100 }, (_, n) => `a A 10.0.${(n % 4000) >> 8}.${(n % 4000) & 255}`).join("\n"),
    Array.from({ length: 4000 }, (_, n) => `a.example.com.  A 10.0.${n >> 8}.${n & 255}`),
    [],
  ],
  [
    "one address more",
    Array.from({ length: 4001 }, (_, n) => `a A 10.0.${n >> 8}.${n & 255}`).join("\n"),
    Array.from({ length: 4000 }, (_, n) => `a.example.com.  A 10.0.${n >> 8}.${n & 255}`),
    ["error[rrset-length] the A records of a have 64,016 octets in a DNS message; the limit is 64,012"],
  ],
  [
    "no ALIAS beside addresses",
    "a ALIAS b\nA AAAA 2001:db8::1\na A 192.0.2.1\na ALIAS c\nb ALIAS c\nb A 192.0.2.1\nB TXT t",
    [
      "A.example.com.  AAAA 2001:db8::1",
      "a.example.com.  A 192.0.2.1",
      "b.example.com.  A 192.0.2.1",
      'B.example.com.  TXT "t"',
    ],
    ["error[alias-alone] a has an ALIAS and A and AAAA records", "error[alias-alone] b has an ALIAS and A records"],
  ],
  [
    "of several ALIAS records the first",
    "a ALIAS b\na ALIAS B\nA ALIAS c\na ALIAS d\n* A 192.0.2.1\na TXT t",
    ["a.example.com.  ALIAS b.example.com.", "*.example.com.  A 192.0.2.1", 'a.example.com.  TXT "t"'],
    ["error[alias-alone] a has 3 ALIAS records"],
  ],
  [
    "of two DNAME records the first, which a rule of DNS reports",
    "a DNAME b\na DNAME c",
    ["a.example.com.  DNAME b.example.com."],
    [],
  ],
])("%s", (_, text, records, problems) => {
  expect(accepted(read(text))).toEqual({ records, problems });
});

test("a TTL of 0 is an error in strict mode", () => {
  expect(accepted(read("a 0 A 192.0.2.1"), true).problems).toEqual([
    "error[ttl-rounded] example.com a A: ttl_sec 0 is stored as 1",
  ]);
});

test.each([
  [
    "a secondary zone has no records",
    ";@ type: slave\n;@ master_ips: 192.0.2.1\n",
    "a TLSA 3 1 1 00",
    ["error[slave-records] the secondary zone has records in its file"],
  ],
  [
    "the domain",
    ";@ soa_email: a@example.com\n;@ axfr_ips: host\n",
    "a A 192.0.2.1",
    ['error[axfr-ips-address] "host" in axfr_ips is not an IP address'],
  ],
])("limits of settings stay: %s", (_, settings, text, problems) => {
  expect(accepted(read(text, settings)).problems).toEqual(problems);
});
