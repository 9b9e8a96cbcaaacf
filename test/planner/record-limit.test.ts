import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type NameKey, nameKey } from "../../src/dns/name/name.ts";
import type { LiveZone } from "../../src/dns/zone/desired-live.ts";
import { type Plan, type Step, writesOf, type ZonePlan } from "../../src/planner/changes/change.ts";
import { limitNotes } from "../../src/workflow/zones/kept-settings.ts";
import { samples } from "../properties.ts";
import { plan } from "./plan-now.ts";
import { stepsText } from "./steps-text.ts";
import { anOrder, store } from "./store.ts";
import { tangles } from "./tangles.ts";
import { desiredOf, liveOf } from "./world.ts";
import { worlds } from "./worlds.ts";

const hosts = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index} A 192.0.2.1`).join("\n");

function planned(before: string, after: string, recordsPerZone?: number) {
  const [live, desired] = [liveOf(before), desiredOf(after)];
  const capabilities = { atomicChanges: false, ...(recordsPerZone && { recordsPerZone }) };
  const made = plan([desired], new Map([[nameKey(live.name), live]]), { capabilities });
  const text = made.zones.map(stepsText).join("\n").replaceAll(" A 192.0.2.1", "");
  return { made, live, text };
}

test("creates first, deletes last while the limit allows it", () => {
  const expected = "+ new0\n+ new1\n- old0\n- old1";
  expect(planned(hosts("old", 2), hosts("new", 2)).text).toBe(expected);
  expect(planned(hosts("old", 2), hosts("new", 2), 4).text).toBe(expected);
});

test("a creation above the limit waits for a deletion of its own", () => {
  const { made, text } = planned(hosts("old", 3), hosts("new", 3), 4);
  expect(text).toBe("+ new0\n- old0\n+ new1\n- old1\n+ new2\n- old2");
  expect(made.zones[0]?.steps.map(({ needs }) => needs)).toEqual([[], [], [2], [], [4], []]);
  expect(made.overLimit).toBeUndefined();
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])("no allowed order exceeds the limit (%s)", (seed) => {
  const { made, live } = planned(hosts("old", 12), hosts("new", 12), 14);
  const numbers = Array.from({ length: 40 }, (_, index) => (index * 7919 * seed) % 997);
  let records = live.records.length;
  for (const { writes } of anOrder(made, numbers))
    for (const { kind } of writes) {
      records += kind === "create" ? 1 : kind === "delete" ? -1 : 0;
      expect(records).toBeLessThanOrEqual(14);
    }
  expect(made.zones.flatMap(writesOf)).toHaveLength(24);
});

test("a deletion that waits for a creation does not come first, and the plan says so", () => {
  // The alias must move to its new target before the old one is deleted.
  const { made, text } = planned("www CNAME old\nold A 192.0.2.1", "www CNAME new\nnew A 192.0.2.1", 2);
  expect(text).toBe("+ new\n~ www CNAME old -> www CNAME new\n- old");
  expect(made.overLimit).toEqual([{ zone: "example.com.", records: 3, limit: 2 }]);
  expect(limitNotes(made).map(({ id, summary }) => [id, summary])).toEqual([
    ["zone-records-limit", "example.com has up to 3 records between the writes; the service accepts 2"],
  ]);
});

test("a zone above the limit is on a service with another one", () => {
  const { made, text } = planned(hosts("old", 5), hosts("new", 5), 4);
  expect(text).toMatch(/^\+ new0\n\+ new1/);
  expect(made.overLimit).toBeUndefined();
});

test.each([
  ["worlds", worlds],
  ["tangles", tangles],
])("%s: no allowed order exceeds the limit unless the plan says so, and none has more gaps", (_, any) => {
  let reordered = 0;
  fc.assert(
    fc.property(any, fc.array(fc.nat(999), { minLength: 1, maxLength: 40 }), ({ desired, live }, choices) => {
      const sizes = [...desired, ...live.values()].map(({ records }) => records.length);
      const capabilities = { atomicChanges: false, recordsPerZone: Math.max(0, ...sizes) };
      const [usual, made] = [plan(desired, live), plan(desired, live, { capabilities })];
      if (JSON.stringify(usual.zones) !== JSON.stringify(made.zones)) reordered++;
      expect(made.unproved).toEqual([]);
      expect(countGaps(made)).toBeLessThanOrEqual(countGaps(usual));
      for (const order of [undefined, anOrder(made, choices)]) {
        expect(store(made, live, order).refused).toEqual([]);
        const over = made.overLimit?.map(({ zone }) => zone) ?? [];
        for (const zone of made.zones.filter((one) => !over.includes(one.zone.name)))
          expect(mostRecords(zone, live, order ?? byId(made))).toBeLessThanOrEqual(capabilities.recordsPerZone);
      }
    }),
    samples(300),
  );
  expect(reordered).toBeGreaterThan(0);
});

function countGaps({ zones }: Plan): number {
  const gaps = zones.flatMap(({ steps, activation }) => [...steps, activation].flatMap((step) => step?.gaps ?? []));
  return gaps.reduce((sum, { types }) => sum + types.length, 0);
}

/** The most records that a zone has between the steps in this order. */
function mostRecords({ zone, steps }: ZonePlan, live: ReadonlyMap<NameKey, LiveZone>, order: readonly Step[]): number {
  let records = live.get(nameKey(zone.name))?.records.length ?? 0;
  let most = records;
  for (const step of order.filter((one) => steps.includes(one))) {
    for (const { kind } of step.writes) records += kind === "create" ? 1 : kind === "delete" ? -1 : 0;
    most = Math.max(most, records);
  }
  return most;
}

function byId({ zones }: Plan) {
  return zones.flatMap(({ steps }) => steps).sort((a, b) => a.id - b.id);
}
