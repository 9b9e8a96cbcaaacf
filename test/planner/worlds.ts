import * as fc from "fast-check";
import type { Zone, ZoneRecord } from "../../src/zone/zone.ts";
import { origin } from "./world.ts";

/**
 * Zones that collide in every way: few names, few values, all types, pointers to each other, to what a wildcard covers or
 * a delegation hides, and outside.
 */
const hosts = ["@", "a", "b", "B", "c", "x.w", "ns.sub"];
const pointed = ["a", "A", "b", "c", "d", "x.w", "y.w", "ns.sub", "host.sub", "new", "@"];

const target = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...pointed).map(absolute) },
  { weight: 1, arbitrary: fc.constantFrom("ext.example.net.", "other.example.net.") },
);
const ttl = fc.constantFrom(undefined, undefined, 300, 3600, 1000, 2000);
const record = (type: string, data: fc.Arbitrary<object>) =>
  fc.record({ type: fc.constant(type), ttl, data: data as fc.Arbitrary<ZoneRecord["data"]> });

const address = record("A", fc.record({ target: fc.constantFrom("192.0.2.1", "192.0.2.2", "192.0.2.3") }));
const address6 = record("AAAA", fc.record({ target: fc.constantFrom("2001:db8::1", "2001:db8::2") }));
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
    .map((string) => ({ target: [string] })),
);
const exchange = record("MX", fc.record({ priority: fc.constantFrom(10, 20), target }));
const noMail = record("MX", fc.constant({ priority: 0, target: "." }));
const service = record(
  "SRV",
  fc.record({ priority: fc.constant(0), weight: fc.constantFrom(0, 5), port: fc.constant(443), target }),
);
const authority = record(
  "CAA",
  fc.record({ flags: fc.constant(0), tag: fc.constant("issue"), target: fc.constantFrom("ca.example.net", ";") }),
);
const server = record("NS", fc.record({ target: fc.constantFrom("ns.sub", "a", "b", "host.sub").map(absolute) }));
const alias = record("CNAME", fc.record({ target }));

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
  sets(some(address), some(address6), some(text), mail, some(service, 1), some(authority, 2)),
);
const apex: Part = sets(some(address), some(text), mail, some(authority, 2));
const cut: Part = fc.oneof(none, some(server), some(address), fc.tuple(alias));

/** A zone's records, in no order; no two of the same value at a name when `distinct`. */
const records = fc
  .tuple(apex, host, host, host, host, host, cut, fc.oneof(none, fc.tuple(alias), some(address)))
  .map((lists) =>
    lists.flatMap((list, index) => list.map((record) => ({ ...record, owner: owners[index] ?? origin }))),
  );
const owners = [hosts[0], hosts[1], hosts[2], hosts[4], hosts[5], hosts[6], "sub", "*"].map((name) =>
  absolute(name ?? "@"),
);

export const zones: fc.Arbitrary<Zone> = fc
  .record({ records, ttl_sec: fc.constantFrom(undefined, 3600, 7200, 300), isUpper: fc.boolean() })
  .map(({ records, ttl_sec, isUpper }) => ({
    name: origin,
    settings: { soa_email: "ops@example.com", ...(ttl_sec !== undefined && { ttl_sec }) },
    records: records.map((record) => (isUpper ? { ...record, owner: record.owner.toUpperCase() } : record)),
    places: {},
    dotlessTargets: [],
  }));

function absolute(name: string): string {
  return name === "@" ? origin : `${name}.${origin}`;
}
