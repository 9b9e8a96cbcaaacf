import * as fc from "fast-check";
import { withLabel } from "../../src/dns/name/name.ts";
import type { KnownType, RdataByType } from "../../src/dns/types/index.ts";
import type { Zone, ZoneRecord } from "../../src/dns/zone/zone.ts";
import { accept } from "../../src/targets/api/accept.ts";
import { origin, stored } from "./world.ts";
import type { World } from "./worlds.ts";

/**
 * One small zone of wildcards, one inside the other, a delegation, and names that lead to each other by way of these:
 * more needs that go in a circle than in the large worlds.
 */
const absolute = (name: string) => withLabel(name, origin);
const target = fc.constantFrom("a", "b", "c", "x.w", "y.w", "w", "sub", "ns.sub", "h.sub").map(absolute);

type Records = fc.Arbitrary<Omit<ZoneRecord, "owner">[]>;
const one = <T extends KnownType>(type: T, data: fc.Arbitrary<RdataByType[T]>): Records =>
  data.map((data) => [{ type, ttl: undefined, data }]);
const both = (...parts: Records[]): Records => fc.tuple(...parts).map((lists) => lists.flat());
const none: Records = fc.constant([]);
const address = one("A", fc.constant({ address: "192.0.2.1" }));
const text = one("TXT", fc.constant({ strings: ["text"] }));
const alias = one("CNAME", fc.record({ cname: target }));
const exchange = one("MX", fc.record({ preference: fc.constant(10), exchange: target }));
const server = one("NS", fc.record({ nsdname: fc.constantFrom("ns.sub", "a", "h.sub").map(absolute) }));

const wildcard = fc.oneof(none, alias, address, text);
const often = { weight: 3, arbitrary: none };
const host = fc.oneof(often, alias, address, both(address, exchange), exchange, text, both(text, exchange));
const cut = fc.oneof(none, server, alias, address);
const names = { a: host, b: host, "x.w": host, w: host, "*": wildcard, "*.w": wildcard, sub: cut, "ns.sub": host };

/** A name's records before and after; half of the names stay as they are. */
const owners = Object.entries(names).map(([name, records]) =>
  fc
    .tuple(records, records, fc.boolean())
    .map(([before, after, stays]) => ({ owner: absolute(name), before, after: stays ? before : after })),
);

export const tangles: fc.Arbitrary<World> = fc.tuple(...owners).map((names) => {
  const zone = (side: "before" | "after"): Zone => ({
    name: origin,
    settings: { soa_email: "ops@example.com" },
    records: names.flatMap(({ owner, [side]: records }) => records.map((record) => ({ ...record, owner }))),
    places: {},
    dotlessTargets: [],
  });
  return { desired: [accept(zone("after")).desired], live: new Map([[origin, stored(zone("before"))]]) };
});
