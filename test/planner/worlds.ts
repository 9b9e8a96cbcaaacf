import * as fc from "fast-check";
import type { TtlProfile } from "../../src/contract/ttl.ts";
import { isInside, type Name, type NameKey, nameKey, relativeTo, root, withLabel } from "../../src/dns/name/name.ts";
import { type KnownType, type RdataByType, typeOf } from "../../src/dns/types/index.ts";
import { asId, type DesiredZone, type LiveZone } from "../../src/dns/zone/desired-live.ts";
import { targets, type Zone, type ZoneRecord } from "../../src/dns/zone/zone.ts";
import { accept } from "../../src/targets/api/accept.ts";
import { domainName, inUpperCase } from "../names.ts";
import { origin, stored } from "./world.ts";

/**
 * Zones that collide in every way: few names, few values, all types, pointers to each other, to what a wildcard covers
 * or a delegation hides, to other zones, and outside.
 */
export const origins = [origin, withLabel("lab", origin), domainName("example.net.")];
const hosts = ["@", "a", "b", "c", "x.w", "ns.sub", "sub", "*"];
const pointed = ["a", "A", "b", "c", "d", "x.w", "y.w", "ns.sub", "host.sub", "new", "@"];

const inside = (weight: number, zone: Name = origin) => ({
  weight,
  arbitrary: fc.constantFrom(...pointed).map((name) => absolute(name, zone)),
});
const outside = fc.constantFrom(domainName("ext.example.org."), domainName("other.example.org."));
const target = fc.oneof(inside(6), { weight: 1, arbitrary: outside });
const ownOrOther = fc.oneof(inside(4), ...origins.map((zone) => inside(1, zone)), { weight: 1, arbitrary: outside });
const ttl = fc.constantFrom(undefined, undefined, 300, 3600, 1000, 2000);
const record = <T extends KnownType>(type: T, data: fc.Arbitrary<RdataByType[T]>) =>
  fc.record({ type: fc.constant(type), ttl, data });

const address = record("A", fc.record({ address: fc.constantFrom("192.0.2.1", "192.0.2.2", "192.0.2.3") }));
const address6 = record("AAAA", fc.record({ address: fc.constantFrom("2001:db8::1", "2001:db8::2") }));
const text = record(
  "TXT",
  fc
    .constantFrom(
      "v=spf1 -all",
      "v=spf1 include:a.example.net ~all",
      "v=spf2.0/pra include:a.example.net ~all",
      "v=DMARC1; p=none",
      "v=DMARC1; p=reject",
    )
    .map((string) => ({ strings: [string] })),
);
const exchange = record("MX", fc.record({ preference: fc.constantFrom(10, 20), exchange: target }));
const noMail = record("MX", fc.constant({ preference: 0, exchange: root }));
const service = record(
  "SRV",
  fc.record({ priority: fc.constant(0), weight: fc.constantFrom(0, 5), port: fc.constant(443), target }),
);
const authority = record(
  "CAA",
  fc.record({ flags: fc.constant(0), tag: fc.constant("issue"), value: fc.constantFrom("ca.example.net", ";") }),
);
const server = record(
  "NS",
  fc.record({ nsdname: fc.constantFrom("ns.sub", "a", "b", "host.sub").map((name) => absolute(name)) }),
);
const reverse = record("PTR", fc.record({ ptrdname: target }));
const alias = record("CNAME", fc.record({ cname: target }));

type Part = fc.Arbitrary<Omit<ZoneRecord, "owner">[]>;
const some = (one: fc.Arbitrary<Omit<ZoneRecord, "owner">>, maxLength = 3) => fc.array(one, { maxLength });
const none: Part = fc.constant([]);
const sets = (...parts: Part[]): Part => fc.tuple(...parts).map((lists) => lists.flat());
const mail: Part = fc.oneof(none, some(exchange), fc.tuple(noMail));
const host: Part = fc.oneof(
  none,
  fc.tuple(alias),
  sets(some(address)),
  sets(some(address, 1), mail),
  sets(some(exchange, 1), some(service, 1)),
  sets(some(address), some(address6), some(text), mail, some(service, 1), some(authority, 2), some(reverse, 1)),
);
const apex: Part = sets(some(address), some(text), mail, some(authority, 2));
const cut: Part = fc.oneof(none, some(server), some(address), fc.tuple(alias));

const records = fc
  .tuple(
    apex,
    host,
    host,
    host,
    host,
    host,
    cut,
    fc.oneof(none, fc.tuple(alias), some(address), sets(some(address, 1), some(address6, 1))),
  )
  .map((lists) =>
    lists.flatMap((list, index) => list.map((record) => ({ ...record, owner: ownerOf(record, hosts[index] ?? "@") }))),
  );

/** The API stores SRV records at names of services only. */
function ownerOf({ type }: Pick<ZoneRecord, "type">, host: string): Name {
  return absolute(type === "SRV" ? `_sip._tcp.${host}` : host);
}

/** One zone, with pointers inside it and outside. */
export const zones: fc.Arbitrary<Zone> = fc
  .record({ records, ttl_sec: fc.constantFrom(undefined, 3600, 7200, 300), isUpper: fc.boolean() })
  .map(({ records, ttl_sec, isUpper }) => ({
    name: origin,
    settings: { soa_email: "ops@example.com", ...(ttl_sec !== undefined && { ttl_sec }) },
    records: records.map((record) => (isUpper ? { ...record, owner: inUpperCase(record.owner) } : record)),
    places: {},
    dotlessTargets: [],
  }));

/** Live and desired zones: existing, new or not served yet; one of them inside another. */
export interface World {
  readonly desired: readonly DesiredZone[];
  readonly live: ReadonlyMap<NameKey, LiveZone>;
}

const profiles = fc.constantFrom<TtlProfile>("documented", "live");
const accountZone = (name: Name) =>
  fc
    .record({
      from: fc.option(zones, { freq: 3 }),
      to: fc.option(zones, { freq: 4 }),
      isDisabled: fc.boolean(),
      isToBeDisabled: fc.nat(4).map((number) => number === 0),
      isSame: fc.nat(3),
    })
    .chain((zone) => fc.array(ownOrOther, { minLength: 8, maxLength: 8 }).map((others) => ({ ...zone, name, others })));

export const worlds: fc.Arbitrary<World> = fc
  .tuple(profiles, ...origins.map(accountZone))
  .map(([profile, ...parts]) => {
    const used = parts.flatMap(({ from, to, isDisabled, isToBeDisabled, isSame, name, others }, index) => {
      if (to === null) return [];
      const status = isToBeDisabled ? { status: "disabled" as const } : {};
      const target = moved(to, name, others);
      const wanted = { ...target, settings: { ...target.settings, ...status } };
      const before = isSame === 0 ? wanted : from && moved(from, name, others);
      const live = before && { ...stored(before, profile), id: asId(index + 1) };
      const settings = live && { ...live.settings, status: isDisabled ? ("disabled" as const) : ("active" as const) };
      return [{ desired: accept(wanted).desired, live: live && settings && { ...live, settings } }];
    });
    return {
      desired: used.map(({ desired }) => desired),
      live: new Map(used.flatMap(({ live }) => (live ? [[nameKey(live.name), live] as const] : []))),
    };
  });

/** The zone under another name, some of its pointers to other zones. */
function moved(zone: Zone, name: Name, others: readonly Name[]): Zone {
  const move = (old: Name) => (isInside(old, origin) ? absolute(relativeTo(old, origin), name) : old);
  return {
    ...zone,
    name,
    records: zone.records.map((record, index) => {
      const [to] = targets(record);
      const pointer = typeOf(record.type).fields.find(({ isTarget }) => isTarget);
      const other = others[index % others.length];
      const isAway = other !== undefined && record.type !== "NS" && index % 2 === 0;
      return {
        ...record,
        owner: move(record.owner),
        data:
          pointer && to && to !== root ? { ...record.data, [pointer.name]: isAway ? other : move(to) } : record.data,
      };
    }),
  };
}

function absolute(name: string, zone: Name = origin): Name {
  return name === "@" ? zone : withLabel(name, zone);
}
