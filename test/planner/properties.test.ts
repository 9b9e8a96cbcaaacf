import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { TtlProfile } from "../../src/contract/ttl.ts";
import { writesOf } from "../../src/planner/change.ts";
import { plan, planZone } from "../../src/planner/plan.ts";
import { accept } from "../../src/provider/accept.ts";
import { canonical, type Zone, type ZoneRecord } from "../../src/zone/zone.ts";
import { fewestWrites, play } from "./simulate.ts";
import { stepsText } from "./steps-text.ts";
import { stored } from "./world.ts";
import { zones } from "./worlds.ts";

const profiles = fc.constantFrom<TtlProfile>("documented", "live");
const desired = (zone: Zone) => accept(zone).desired;

test("apply(plan(d, l)) = d; at every write nothing is refused, no name goes dark, no pointer dangles", () => {
  fc.assert(
    fc.property(zones, zones, profiles, (to, from, profile) => {
      const current = stored(from, profile);
      const { live, faults } = play(planZone(desired(to), current), current);
      expect(faults).toEqual([]);
      expect(lines(live.records)).toEqual(lines(desired(to).records));
      expect(stepsText(planZone(desired(to), live))).toBe("");
    }),
    { numRuns: 3000 },
  );
});

test("plan(d, d) is empty, whichever way the service rounds", () => {
  fc.assert(
    fc.property(zones, profiles, (zone, profile) => {
      const live = stored({ ...zone, records: distinct(zone.records) }, profile);
      const { steps, settings, unchanged } = planZone(desired(zone), live);
      expect({ steps, settings, unchanged }).toEqual({ steps: [], settings: [], unchanged: live.records.length });
    }),
    { numRuns: 1000 },
  );
});

test("there are as few writes as can be, and each record is in one of them or unchanged", () => {
  fc.assert(
    fc.property(zones, zones, (to, from) => {
      const current = stored(from);
      const zone = planZone(desired(to), current);
      const writes = writesOf(zone);
      expect(writes.length).toBe(fewestWrites(zone, current));
      const touched = writes.filter(({ kind }) => kind !== "create").length;
      expect(touched + zone.unchanged).toBe(current.records.length);
    }),
    { numRuns: 1000 },
  );
});

test("the order in which records and zones come does not matter", () => {
  const shuffled = <T>(list: readonly T[]) => fc.shuffledSubarray([...list], { minLength: list.length });
  fc.assert(
    fc.property(
      zones.chain((zone) => fc.tuple(fc.constant(desired(zone)), shuffled(desired(zone).records))),
      zones.map((zone) => stored(zone)).chain((live) => fc.tuple(fc.constant(live), shuffled(live.records))),
      ([to, toShuffled], [from, fromShuffled]) => {
        const { steps, settings } = planZone({ ...to, records: toShuffled }, { ...from, records: fromShuffled });
        const expected = planZone(to, from);
        expect({ steps, settings }).toEqual({ steps: expected.steps, settings: expected.settings });
        const other = { ...to, name: "example.net." };
        expect(plan([other, to], new Map(), ["b.", "a."])).toEqual(plan([to, other], new Map(), ["a.", "b."]));
      },
    ),
    { numRuns: 1000 },
  );
});

function lines(records: readonly ZoneRecord[]): string[] {
  return records.map(lineOf).sort();
}

function lineOf(record: ZoneRecord): string {
  return `${record.owner.toLowerCase()} ${record.type} ${canonical(record)}`;
}

function distinct(records: readonly ZoneRecord[]): ZoneRecord[] {
  return [...new Map([...records].reverse().map((record) => [lineOf(record), record])).values()];
}
