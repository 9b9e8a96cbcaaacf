import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { type NameKey, nameKey } from "../../src/dns/name/name.ts";
import { asId, type DesiredZone, type LiveRecord, type LiveZone } from "../../src/dns/zone/desired-live.ts";
import { canonical, type ZoneRecord } from "../../src/dns/zone/zone.ts";
import { GuardContexts } from "../../src/planner/blocks/contexts.ts";
import { guards } from "../../src/planner/blocks/guards.ts";
import { type Plan, writesOf } from "../../src/planner/changes/change.ts";
import { digestEffects, type Effect, effectsOf } from "../../src/planner/changes/effects.ts";
import { concerns, describeZoneChange } from "../../src/planner/risk/guard.ts";
import { apiSettings, apiTimes } from "../../src/targets/api/settings.ts";
import { samples } from "../properties.ts";
import { plan } from "./plan-now.ts";
import { anOrder, fewestWrites, store } from "./store.ts";
import { tangles } from "./tangles.ts";
import { worlds } from "./worlds.ts";

const choices = fc.array(fc.nat(999), { minLength: 1, maxLength: 40 });

test.each([
  ["worlds", worlds],
  ["tangles", tangles],
])("%s: apply(plan(d, l)) = d; no order that the dependencies allow is refused", (_, any) => {
  fc.assert(
    fc.property(any, choices, choices, (world, ...orders) => {
      const made = plan(world.desired, world.live);
      expect(made.unproved).toEqual([]);
      for (const order of [undefined, ...orders.map((numbers) => anOrder(made, numbers))]) {
        const { live, refused } = store(made, world.live, order);
        expect(refused).toEqual([]);
        for (const { name, records } of world.desired)
          expect(lines(live.get(nameKey(name))?.records ?? [])).toEqual(lines(records));
        expect(plan(world.desired, live).zones).toEqual([]);
      }
    }),
    samples(500),
  );
});

test("plan(d, d) is empty for every rounding of the service", () => {
  fc.assert(
    fc.property(worlds, ({ desired, live }) => {
      const same = new Map(desired.map((zone, index) => [nameKey(zone.name), asStored(zone, index, live)]));
      const inSync = {
        zones: [],
        inSync: desired.length,
        ignored: 0,
        unsupported: [],
        deletions: [],
        unmanaged: [],
        unproved: [],
      };
      expect(plan(desired, same)).toEqual(inSync);
    }),
    samples(300),
  );
});

test("plans the fewest writes, with each record in one of them or unchanged", () => {
  fc.assert(
    fc.property(worlds, ({ desired, live }) => {
      const { zones, unproved } = plan(desired, live);
      expect(unproved).toEqual([]);
      for (const zone of zones) {
        const current = live.get(nameKey(zone.zone.name));
        const writes = writesOf(zone);
        if (current) expect(writes.length).toBe(fewestWrites(zone, current));
        const touched = writes.filter(({ kind }) => kind !== "create").length;
        expect(touched + zone.unchanged).toBe(current?.records.length ?? 0);
      }
    }),
    samples(300),
  );
});

test("ids and input order change neither plan nor digest, except the choice among equal records", () => {
  fc.assert(
    fc.property(worlds, fc.nat(), ({ desired, live }, seed) => {
      const mix = <T>(list: readonly T[]) => shuffled(list, seed);
      const turned = new Map(
        mix([...live]).map(([name, zone]) => [
          name,
          {
            ...zone,
            id: asId(`other ${zone.id}`),
            records: renumbered(zone.records, mix),
          },
        ]),
      );
      const other = plan(
        mix(desired).map((zone) => ({ ...zone, records: mix(zone.records) })),
        turned,
      );
      const one = plan(desired, live);
      expect([...other.unproved, ...one.unproved]).toEqual([]);
      expect(withoutIds(other)).toEqual(withoutIds(one));
      expect(digestEffects(effectsOf(other))).toBe(digestEffects(effectsOf(one)));
    }),
    samples(300),
  );
});

test("digests are equal if and only if the effects are", () => {
  fc.assert(
    fc.property(worlds, worlds, (one, other) => {
      const plans = [one, other].map(({ desired, live }) => plan(desired, live));
      expect(plans.flatMap(({ unproved }) => unproved)).toEqual([]);
      const [a, b] = plans.map(effectsOf) as [Effect[], Effect[]];
      expect(digestEffects(a) === digestEffects(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      expect(digestEffects([...a].reverse())).toBe(digestEffects(a));
      for (const [index, effect] of a.entries()) {
        expect(digestEffects(a.toSpliced(index, 1))).not.toBe(digestEffects(a));
        for (const key of ["zone", "name", "type", "before", "after"] as const)
          expect(digestEffects(a.with(index, { ...effect, [key]: `${effect[key]}x` }))).not.toBe(digestEffects(a));
      }
    }),
    samples(80),
  );
});

function asStored(zone: DesiredZone, index: number, live: ReadonlyMap<NameKey, LiveZone>): LiveZone {
  const { settings } = live.get(nameKey(zone.name)) ?? {};
  const times = { ttl_sec: 0, refresh_sec: 0, retry_sec: 0, expire_sec: 0 };
  const lists = { tags: [], axfr_ips: [], master_ips: [] };
  return {
    name: zone.name,
    id: asId(index + 1),
    defaultTimes: apiTimes,
    settings: {
      soa_email: "",
      description: "",
      group: "",
      ...lists,
      ...times,
      ...settings,
      status: "active",
      ...zone.settings,
    },
    records: zone.records.map((record, at) => ({ ...record, ttl: record.otherTtl ?? record.ttl, id: asId(at + 1) })),
  };
}

/** The records in another order and with other ids; of equal ones the oldest comes first, so these keep theirs. */
function renumbered(records: readonly LiveRecord[], mix: <T>(list: readonly T[]) => T[]): LiveRecord[] {
  const keyOf = (record: LiveRecord) => `${record.owner.toLowerCase()} ${record.type} ${canonical(record)}`;
  const waiting = new Map<string, LiveRecord[]>();
  for (const record of records) waiting.set(keyOf(record), [...(waiting.get(keyOf(record)) ?? []), record]);
  return mix(records).flatMap((record) => {
    const next = waiting.get(keyOf(record))?.shift();
    return next ? [{ ...next, id: asId(`other ${next.id}`) }] : [];
  });
}

function withoutIds(made: Plan) {
  const text = (record: ZoneRecord) => `${record.owner} ${record.ttl} ${record.type} ${canonical(record)}`;
  return made.zones.map(({ zone, settings, activation, defaultTtl, steps, unchanged }) => ({
    zone: zone.name,
    settings,
    activation,
    defaultTtl,
    unchanged,
    steps: steps.map(({ writes, ...step }) => ({
      ...step,
      writes: writes.map((change) => [
        change.kind === "create" ? "" : text(change.before),
        change.kind === "delete" ? "" : text(change.after),
      ]),
    })),
  }));
}

function shuffled<T>(list: readonly T[], seed: number): T[] {
  return list
    .map((item, index) => ({ item, key: ((index + 1) * 2654435761 * ((seed % 1000) + 1)) % 4294967296 }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

function lines(records: readonly ZoneRecord[]): string[] {
  return records.map((record) => `${record.owner.toLowerCase()} ${record.type} ${canonical(record)}`).sort();
}

test("a guard that names effects finds nothing in a zone that has none of them", () => {
  const thresholds = readConfig("zonewright.yaml", "", apiSettings).config.guards;
  fc.assert(
    fc.property(worlds, ({ desired, live }) => {
      const planned = plan(desired, live);
      const zones = planned.zones.map((one) => describeZoneChange(one, live.get(nameKey(one.zone.name))));
      const contexts = new GuardContexts({ plan: planned, zones, live, thresholds }, { settings: apiSettings });
      const wrong = zones.flatMap((zone) =>
        guards
          .filter((guard) => !concerns(guard, zone))
          .flatMap(({ title, check }) => (check ? [...check(zone, contexts.of(zone.zone))].map(() => title) : [])),
      );
      expect(wrong).toEqual([]);
    }),
    samples(300),
  );
});
