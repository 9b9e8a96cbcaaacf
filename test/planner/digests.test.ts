import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nameKey } from "../../src/dns/name/name.ts";
import type { DesiredZone, LiveZone } from "../../src/dns/zone/desired-live.ts";
import { digestDesired } from "../../src/planner/changes/digests.ts";
import { digestEffects, effectsOf } from "../../src/planner/changes/effects.ts";
import { accept } from "../../src/targets/api/accept.ts";
import { inUpperCase } from "../names.ts";
import { samples } from "../properties.ts";
import { plan } from "./plan-now.ts";
import { stored } from "./world.ts";
import { zones } from "./worlds.ts";

const effects = (desired: DesiredZone, live: LiveZone | undefined) =>
  digestEffects(effectsOf(plan([desired], new Map(live ? [[nameKey(live.name), live]] : []))));

/** The zone, in another order and with other letter case where that says the same. */
const shuffled = (zone: DesiredZone) =>
  fc
    .tuple(fc.shuffledSubarray([...zone.records], { minLength: zone.records.length }), fc.boolean())
    .map(([records, isUpper]) => ({
      ...zone,
      records: records.map((record) => ({ ...record, owner: isUpper ? inUpperCase(record.owner) : record.owner })),
      settings: {
        ...zone.settings,
        ...(Array.isArray(zone.settings.tags) && { tags: zone.settings.tags.toReversed() }),
      },
      file: "elsewhere.yaml",
    }));

test("zones with equal digests have equal effects, whatever is stored", () => {
  const world = fc.tuple(zones, zones).chain(([first, second]) => {
    const desired = accept(first).desired;
    return fc.record({
      desired: fc.constant(desired),
      other: shuffled(desired),
      live: fc.constantFrom(undefined, stored(second), stored(first)),
    });
  });
  fc.assert(
    fc.property(world, ({ desired, other, live }) => {
      expect(digestDesired(other)).toEqual(digestDesired(desired));
      expect(effects(other, live)).toBe(effects(desired, live));
    }),
    samples(300),
  );
});

test("zones with different effects have different digests", () => {
  fc.assert(
    fc.property(zones, zones, zones, (first, second, third) => {
      const [one, other] = [accept(first).desired, accept({ ...second, name: first.name }).desired];
      for (const live of [undefined, stored({ ...third, name: first.name })])
        if (effects(one, live) !== effects(other, live)) expect(digestDesired(other)).not.toEqual(digestDesired(one));
    }),
    samples(300),
  );
});
