import fc from "fast-check";
import { rdataText } from "../../src/dns/zone/zone.ts";
import { goodData, readZone } from "./transfer/zones.ts";

/** A record as tests write it: names absolute, RDATA in canonical syntax. */
export interface Line {
  readonly owner: string;
  readonly ttl: number;
  readonly type: string;
  readonly rdata: string;
}

/** The place of a name in RDATA. */
const mark = "\u0001";

/** Valid RDATA of every type that name servers load at any name, each name in it replaced by a mark. */
const templates = new Map<string, string[]>();
for (const { type, canonical } of goodData(["soa", "alias", "cla", "ipn", "csync", "nsec3", "nxt", "zonemd"])) {
  const record = readZone(`x 300 IN ${type} ${canonical}\n`).records[0];
  // A mnemonic, such as the tag of a CAA record, is spelled like a name, but has no final dot.
  const template = record ? rdataText(record, (name) => (name.endsWith(".") ? mark : name)) : "";
  if (/ TYPE0\b/.test(template)) continue; // NSD refuses a zone with it
  templates.set(type, [...(templates.get(type) ?? []), template]);
}

/** Types that have their owner for themselves. */
const lonely = ["CNAME", "DNAME", "MX", "NS"];

const signatures = ["RRSIG", "SIG"];

/** Names inside a zone that have an address, names that have none, and names that look like addresses. */
const existing = ["host", "host.dc1", "Web.Front.End", "deep.down.in.the.zone"];
const absent = ["gone", "ingress.k8s", "shop.example.net", "a.b.c.d", "Mixed.Case", "mail.example", "x.*", "a\\.b.c"];
const doubtful = ["192.0.2.1", "10.0.0.256"];
const outside = ["shop.example.net.", "Mx.Example.ORG.", "a_b._c.example.net.", "1.0/25.example.net.", "localhost."];

/** A name in RDATA: in the zone or not, existing or not, of one or several labels. */
const target = (zone: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...existing, ...absent, ...doubtful).map((name) => `${name}.${zone}`) },
    { weight: 1, arbitrary: fc.constantFrom(...outside, zone, `${zone}${zone}`) },
  );

/** An owner relative to the zone: also one to which the name of the zone was added twice. */
const ownerOf = (zone: string, type: string): fc.Arbitrary<string> => {
  const own = type.toLowerCase();
  const twice = fc.constant(`${own}.${zone.slice(0, -1)}`);
  return fc.oneof({ weight: 4, arbitrary: plainOwnerOf(type, own) }, { weight: 1, arbitrary: twice });
};

const plainOwnerOf = (type: string, own: string): fc.Arbitrary<string> => {
  if (type === "SRV") return fc.constantFrom("_sip._tcp", "_x._udp.sub", "printer._ipp._tcp", "srv", "*._tcp", "_x");
  if (lonely.includes(type)) return fc.constantFrom(own, `${own}.sub`, `Up.${own}`);
  return fc.constantFrom(own, `${own}.sub`, `_443._tcp.${own}`, `*.${own}`, `a.*.${own}`, "Shared.name");
};

const ttl = fc.constantFrom(3600, 3600, 3600, 300, 86400);

const lineOf = (zone: string, type: string): fc.Arbitrary<Line> =>
  fc
    .record({
      ttl,
      owner: ownerOf(zone, type),
      template: fc.constantFrom(...(templates.get(type) ?? [])),
      // BIND refuses a signer that is not above the owner.
      names: signatures.includes(type) ? fc.constant([zone]) : fc.array(target(zone), { minLength: 5, maxLength: 5 }),
    })
    .map(({ ttl, owner, template, names }) => {
      const [first, ...others] = template.split(mark);
      const parts = others.map((text, index) => `${names[index % names.length]}${text}`);
      return { owner: `${owner}.${zone}`, ttl, type, rdata: [first, ...parts].join("") };
    });

/**
 * A zone with a record of every type, which BIND, Knot and NSD load: without faults of DNS, but with names and values
 * that the API cannot store, and with targets of all kinds.
 */
export const everyTypeZone = (zone: string): fc.Arbitrary<readonly Line[]> =>
  fc
    .record({
      contact: fc.constantFrom(`hostmaster.${zone}`, `a\\.b.dns.${zone}`, "ops.example.net."),
      hosts: fc.tuple(...existing.map(() => ttl)),
      lines: fc.tuple(...[...templates.keys()].map((type) => lineOf(zone, type))),
    })
    .map(({ contact, hosts, lines }) => [
      { owner: zone, ttl: 3600, type: "SOA", rdata: `ns1.x.example. ${contact} 1 7200 3600 1209600 600` },
      { owner: zone, ttl: 3600, type: "NS", rdata: "ns1.x.example." },
      ...hosts.map((ttl, index) => {
        return { owner: `${existing[index]}.${zone}`, ttl, type: "A", rdata: `192.0.2.${index + 1}` };
      }),
      ...lines,
    ]);

/** The zone as a master file with absolute names. */
export function masterText(lines: readonly Line[]): string {
  return lines.map(({ owner, ttl, type, rdata }) => `${owner} ${ttl} IN ${type} ${rdata}\n`).join("");
}
