import dnsZonefile from "dns-zonefile";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shownName } from "../../src/dns/name/name.ts";
import type { Zone, ZoneRecord } from "../../src/dns/zone/zone.ts";
import { zone as anyZone } from "../dns/arbitrary.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { samples } from "../properties.ts";
import { readBind, recordsText, writeDnsZonefile } from "./api.ts";
import { readForeign } from "./foreign.ts";
import { compileZone, withoutImplicit } from "./named.ts";

const nameservers = ["ns1.example.net.", "ns2.example.net."].map(domainName);

function read(text: string): Zone {
  return readBind({ file: "example.zone", bytes: Buffer.from(text), origin: domainName("example.") }).zone;
}

/** The types that the package's documentation lists. */
const types = "SOA NS MX A AAAA CNAME PTR TXT SRV SPF CAA DS".split(" ");
const canContain = ({ type }: ZoneRecord) => types.includes(type);

test("writes every type of the package, and reports the others", () => {
  const zone = read(`;@ soa_email: admin@example
;@ tags: shop
$TTL 1h
@       A     192.0.2.1
a 0     A     192.0.2.2
a       AAAA  2001:db8::1
b       CNAME a
@       MX    10 mail.example.net.
sub     NS    ns.example.net.
sub     DS    1 13 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A
p       PTR   a
t       TXT   "a $& \\"{a}\\"" "b"
t       SPF   "v=spf1 -all"
_s._tcp SRV   1 2 3 a
@       CAA   0 issue "ca.example.net"
@       LOC   1 N 2 E 3m
`);
  const { text, problems, omitted } = writeDnsZonefile(zone, { nameservers });
  expect(JSON.parse(text)).toEqual({
    $origin: "example.",
    $ttl: 3600,
    soa: {
      name: "@",
      mname: "ns1.example.net.",
      rname: "admin",
      serial: 1,
      refresh: 14400,
      retry: 14400,
      expire: 1209600,
      minimum: 3600,
    },
    ns: [
      { name: "@", host: "ns1.example.net." },
      { name: "@", host: "ns2.example.net." },
      { name: "sub", host: "ns.example.net." },
    ],
    mx: [{ name: "@", preference: 10, host: "mail.example.net." }],
    a: [
      { name: "@", ip: "192.0.2.1" },
      { name: "a", ip: "192.0.2.2", ttl: "0" },
    ],
    aaaa: [{ name: "a", ip: "2001:db8::1" }],
    cname: [{ name: "b", alias: "a" }],
    ptr: [{ name: "p", fullname: "p.example.", host: "a" }],
    txt: [{ name: "t", txt: String.raw`"a \036& \"\123a}\"" "b"` }],
    srv: [{ name: "_s._tcp", priority: 1, weight: 2, port: 3, target: "a" }],
    spf: [{ name: "t", data: '"v=spf1 -all"' }],
    caa: [{ name: "@", flags: 0, tag: "issue", value: '"ca.example.net"' }],
    ds: [
      {
        name: "sub",
        key_tag: "1",
        algorithm: "13",
        digest_type: "2",
        digest: "D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A",
      },
    ],
  });
  expect(problems.map(({ severity, id, summary }) => `${severity}[${id}] ${summary}`)).toEqual([
    "warning[export-lost] example. LOC 1 0 0.000 N 2 0 0.000 E 3.00m 1m 10000m 10m: not written: dns-zonefile has no LOC records",
  ]);
  expect(omitted).toEqual(["tags"]);
});

test("import file reads the same generated zones, less what is reported", () => {
  fc.assert(
    fc.property(anyZone, (zone) => {
      const { text } = writeDnsZonefile(zone, { nameservers });
      const { format, zones, problems } = readForeign("export.json", text);
      expect([format.name, problems]).toEqual(["dns-zonefile JSON", []]);
      const [read, ...others] = zones;
      if (!read) expect.fail("no zone");
      expect([others, read.problems, read.unread, read.name]).toEqual([[], [], [], zone.name]);
      const kept = { ...zone, records: zone.records.filter(canContain) };
      expect(withoutImplicit(kept, recordsText([{ ...zone, settings: read.settings, records: read.records }]))).toBe(
        recordsText([kept]),
      );
    }),
    samples(200),
  );
});

describe.skipIf(isMissing("named-compilezone"))("the package makes the same zone of generated zones", () => {
  test("as named-compilezone reads it, less what is reported", async () => {
    await fc.assert(
      fc.asyncProperty(anyZone, async (zone) => {
        const { text, problems } = writeDnsZonefile(zone, { nameservers });
        const made = dnsZonefile.generate(JSON.parse(text));
        const kept = { ...zone, records: zone.records.filter(canContain) };
        const { records, messages } = await compileZone(zone.name, Buffer.from(made));
        expect(records ? withoutImplicit(kept, records) : messages).toBe(recordsText([kept]));
        const reported = problems.filter(({ id }) => id === "export-lost").map(({ summary }) => summary.split(" ", 2));
        const lost = zone.records.filter((record) => !canContain(record));
        expect(reported.sort()).toEqual(lost.map(({ owner, type }) => [shownName(owner), type]).sort());
      }),
      samples(60),
    );
  });
});
