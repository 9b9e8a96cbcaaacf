import fc from "fast-check";
import { readAddress6 } from "../../src/dns/name/address.ts";
import { asName, type Name, root, spellLabel } from "../../src/dns/name/name.ts";
import type { Rdata } from "../../src/dns/rdata/record-type.ts";
import type { KnownType, RdataByType } from "../../src/dns/types/index.ts";
import { soaSettings } from "../../src/dns/zone/soa-settings.ts";
import type { Zone, ZoneRecord } from "../../src/dns/zone/zone.ts";
import type { ZoneSettings } from "../../src/dns/zone/zone-settings.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { domainName } from "../names.ts";

/** Octets as a text, one character for each; most of them harmless, some with a meaning in one format or the other. */
export const octets = (max: number): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.string({ unit: fc.constantFrom(..."abcXYZ019-_="), maxLength: max }) },
    { weight: 2, arbitrary: fc.string({ unit: fc.constantFrom(...` "\\;()@$.:#'{}[],&*!|>%~?\t`), maxLength: max }) },
    {
      weight: 1,
      arbitrary: fc.string({ unit: fc.nat(255).map((code) => String.fromCharCode(code)), maxLength: max }),
    },
  );

/** A label in its spelling. */
export const label: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[a-zA-Z0-9_][a-zA-Z0-9-]{0,7}$/) },
  { weight: 1, arbitrary: fc.constantFrom("null", "true", "1", "0x1", "IN", "A", "300", "1h", "~", "<<", "*", "-") },
  {
    weight: 2,
    arbitrary: octets(10)
      .filter((text) => text !== "")
      .map(spellLabel),
  },
);

const zoneNames: readonly Name[] = [
  domainName("example."),
  domainName("Example.COM."),
  domainName("2.0.192.in-addr.arpa."),
  domainName("a\\.b.test."),
];

/** A name of the zone, itself or below. */
export const nameIn = (zone: Name): fc.Arbitrary<Name> =>
  fc.array(label, { maxLength: 3 }).map((labels) => asName([...labels, zone].join(".")));

/** A name anywhere. */
export const name = (zone: Name): fc.Arbitrary<Name> =>
  fc.oneof(nameIn(zone), nameIn(domainName("host.example.net.")), fc.constant(root));

const uint8 = fc.nat(255);
const uint16 = fc.nat(65535);
const seconds = fc.oneof(fc.constantFrom(0, 60, 300, 3600, 5400, 604800), fc.nat(2 ** 31 - 1));
const address4 = fc.tuple(uint8, uint8, uint8, uint8).map((octets) => octets.join("."));
const address6 = fc
  .array(fc.oneof(fc.constant(0), uint16), { minLength: 8, maxLength: 8 })
  .map((words) => readAddress6(words.map((word) => word.toString(16)).join(":")));

/** Signatures of several types at one name, in sets of their own (RFC 2181 §5.1). */
const signature = (zone: Name, type: string): fc.Arbitrary<RdataByType["RRSIG"]> =>
  fc.record({
    type_covered: fc.constant(type),
    algorithm: uint8,
    labels: uint8,
    original_ttl: fc.nat(2 ** 32 - 1),
    expiration: fc.constantFrom("20270101000000", "20300228235959"),
    inception: fc.constant("20261201000000"),
    key_tag: uint16,
    signer: nameIn(zone),
    signature: fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString("base64")),
  });

/** RDATA of each type that may coexist with others at a name. */
const rdata = (zone: Name): { readonly [T in KnownType]?: fc.Arbitrary<RdataByType[T]> } => ({
  A: fc.record({ address: address4 }),
  AAAA: fc.record({ address: address6 }),
  CAA: fc.record({ flags: uint8, tag: fc.stringMatching(/^[a-z0-9]{1,15}$/), value: octets(300) }),
  MX: fc.record({ preference: uint16, exchange: name(zone) }),
  PTR: fc.record({ ptrdname: name(zone) }),
  SRV: fc.record({ priority: uint16, weight: uint16, port: uint16, target: name(zone) }),
  TXT: fc.record({
    strings: fc.oneof(
      fc.array(octets(255), { minLength: 1, maxLength: 3 }),
      fc.array(fc.constantFrom("a".repeat(255), "é".repeat(127), "b", ""), { minLength: 1, maxLength: 4 }),
    ),
  }),
  NS: fc.record({ nsdname: nameIn(domainName("host.example.net.")) }),
});

const aliasData = (zone: Name): fc.Arbitrary<RdataByType["CNAME"]> => fc.record({ cname: name(zone) });

const soa = (zone: Name): fc.Arbitrary<RdataByType["SOA"]> =>
  fc.record({
    mname: name(zone),
    rname: name(zone),
    serial: fc.nat(2 ** 32 - 1),
    refresh: seconds,
    retry: seconds,
    expire: seconds,
    minimum: seconds,
  });

/** Usual texts of settings, and invalid ones. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(..." \"\\;,:[]{}#'\t\n\r\u0085\u2028\ufeffaé"), maxLength: 8 }),
  fc.constantFrom(
    "",
    "null",
    "true",
    "012",
    "1e3",
    "- a",
    "a: b",
    "a #b",
    "[a]",
    '"a"',
    "a, b",
    "~",
    "hostmaster@example.com",
  ),
);

const settings: fc.Arbitrary<ZoneSettings> = fc.record(
  {
    type: fc.constantFrom("master", "slave"),
    soa_email: text,
    description: text,
    status: fc.constantFrom("active", "disabled"),
    tags: fc.array(text, { maxLength: 3 }),
    group: text,
    axfr_ips: fc.array(text, { maxLength: 3 }),
    master_ips: fc.array(fc.oneof(address4, address6), { maxLength: 3 }),
    ttl_sec: seconds,
    refresh_sec: seconds,
    retry_sec: seconds,
    expire_sec: seconds,
  },
  { requiredKeys: [] },
);

/** A name of the zone with what it holds: a CNAME, or sets of other types. */
interface Node {
  readonly owner: Name;
  readonly alias: readonly Set[];
  readonly sets: readonly (Set | undefined)[];
}

type Set = readonly Omit<ZoneRecord, "owner">[];

const ttl = fc.option(seconds, { nil: undefined });

const node = (zone: Name): fc.Arbitrary<Node> => {
  const set = (type: string, data: fc.Arbitrary<Rdata>, maxLength: number) =>
    fc
      .tuple(ttl, fc.array(data, { minLength: 1, maxLength }))
      .map(([ttl, list]): Set => list.map((data) => ({ type, ttl, data })));
  const sets = Object.entries(rdata(zone)).map(([type, data]) =>
    fc.option(set(type, data, 3), { nil: undefined, freq: 2 }),
  );
  const signatures = ["A", "MX", "TXT"].map((type) =>
    fc.option(set("RRSIG", signature(zone, type), 2), { nil: undefined, freq: 1 }),
  );
  const alias = fc.array(set("CNAME", aliasData(zone), 1), { maxLength: 1 });
  return fc.record({ owner: nameIn(zone), alias, sets: fc.tuple(...sets, ...signatures) });
};

/** BIND serves no CNAME at the apex or beside others, and no delegation of a wildcard. */
function recordsOf({ owner, alias, sets }: Node, zone: Name): ZoneRecord[] {
  const chosen = owner === zone || alias.length === 0 ? sets : alias;
  return chosen
    .flatMap((set) => set ?? [])
    .filter(({ type }) => type !== "NS" || !owner.startsWith("*."))
    .map((record) => ({ owner, ...record }));
}

const zoneOf = (zone: Name): fc.Arbitrary<Zone> =>
  fc
    .record({
      settings,
      soa: fc.option(fc.record({ ttl, data: soa(zone) }), { nil: undefined }),
      nodes: fc.uniqueArray(node(zone), { maxLength: 6, selector: ({ owner }) => owner.toLowerCase() }),
    })
    .map(({ settings, soa, nodes }) => {
      const start: ZoneRecord[] = soa ? [{ owner: zone, type: "SOA", ...soa }] : [];
      return {
        name: zone,
        settings: { ...settings, ...(soa && soaSettings(soa, apiSettings)) },
        records: [...start, ...nodes.flatMap((node) => recordsOf(node, zone))],
        places: {},
        dotlessTargets: [],
      };
    });

/**
 * A zone that BIND would serve: all ten types, with and without SOA and NS at the apex, odd names, texts and settings.
 */
export const zone: fc.Arbitrary<Zone> = fc.oneof(...zoneNames.map(zoneOf));
