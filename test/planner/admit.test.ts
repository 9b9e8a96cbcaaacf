import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nameKey } from "../../src/dns/name/name.ts";
import { asId, type DesiredZone, type LiveRecord, type LiveZone } from "../../src/dns/zone/desired-live.ts";
import { keepEdits } from "../../src/planner/approval/admit.ts";
import { writesOf } from "../../src/planner/changes/change.ts";
import { digestDesired, digestJson } from "../../src/planner/changes/digests.ts";
import { type Effect, effectsOf } from "../../src/planner/changes/effects.ts";
import { finish } from "../../src/planner/order/work.ts";
import { effectOf, planFile, readPlanFile } from "../../src/planner/plan-file/plan-file.ts";
import type { PlanFile } from "../../src/planner/plan-file/plan-schema.ts";
import { accept } from "../../src/targets/api/accept.ts";
import { plan } from "./plan-now.ts";
import { stored } from "./world.ts";
import { zones } from "./worlds.ts";

const noon = new Date("2026-03-04T12:00:00Z");

function fileOf(desired: DesiredZone, live: LiveZone, now = noon, nonce = "0".repeat(32)): PlanFile {
  return planFile({
    version: "0.0.0",
    source: {
      config: digestJson({}),
      zones: [{ zone: nameKey(desired.name), files: [], desired: { ...digestDesired(desired) } }],
    },
    target: { api: "http://api/v4", account: null },
    live: [[nameKey(live.name), live]],
    plan: plan([desired], new Map([[nameKey(live.name), live]])),
    notes: [],
    guards: [],
    reads: 0,
    writes: 0,
    seen: now,
    now,
    lifeSeconds: 60,
    nonce,
  });
}

function after(live: LiveZone, writes: ReturnType<typeof writesOf>): LiveZone {
  const gone = new Set(writes.flatMap((write) => (write.kind === "create" ? [] : [write.before.id])));
  const made = writes.flatMap((write, index): LiveRecord[] =>
    write.kind === "delete"
      ? []
      : [{ ...write.after, id: write.kind === "create" ? asId(1000 + index) : write.before.id }],
  );
  return { ...live, records: [...live.records.filter(({ id }) => !gone.has(id)), ...made] };
}

test("a plan file is deterministic but for times and nonce, has the plan's effects and reads back", () => {
  fc.assert(
    fc.property(zones, zones, (from, to) => {
      const live = stored(from);
      const { desired } = accept(to);
      const file = fileOf(desired, live);
      const later = fileOf(desired, live, new Date("2026-03-04T13:00:00Z"), "1".repeat(32));
      const { observed, expires, nonce, planDigest, ...same } = later;
      expect(file).toEqual({
        ...same,
        observed: { ...observed, time: file.observed.time },
        expires: file.expires,
        nonce: file.nonce,
        planDigest: file.planDigest,
      });
      expect(file.changes.map(effectOf).map(keyOf).sort()).toEqual(
        effectsOf(plan([desired], new Map([[nameKey(live.name), live]])))
          .map(keyOf)
          .sort(),
      );
      expect(readPlanFile("plan.json", JSON.stringify(file))).toEqual({ plan: file });
    }),
  );
});

test('reads a change that a guard blocks from a plan file of version 0.1, which calls it "held"', () => {
  fc.assert(
    fc.property(zones, (zone) => {
      const { planDigest, ...file } = fileOf(accept(zone).desired, stored(zone));
      const block = { guard: "G05", zone: "example.com.", texts: [], effects: "0".repeat(64) };
      const old = { ...file, guards: [{ ...block, state: "held" }] };
      const text = JSON.stringify({ ...old, planDigest: digestJson(old) });
      expect(readPlanFile("plan.json", text).plan.guards).toEqual([{ ...block, state: "blocked" }]);
    }),
    { numRuns: 1 },
  );
});

/** The remainder of a plan, given the live zone now. */
function leftOf(file: PlanFile, desired: DesiredZone, now: LiveZone) {
  const live = new Map([[nameKey(now.name), now]]);
  return finish(keepEdits(plan([desired], live), [file], { desired: [desired], live }));
}

test("after any part of its writes, the rest is approved and leads to the same zone", () => {
  fc.assert(
    fc.property(zones, zones, fc.nat(100), (from, to, cut) => {
      const live = stored(from);
      const { desired } = accept(to);
      const [zone] = plan([desired], new Map([[nameKey(live.name), live]])).zones;
      const writes = zone ? writesOf(zone) : [];
      const now = after(live, writes.slice(0, cut % (writes.length + 1)));
      const left = leftOf(fileOf(desired, live), desired, now);
      const rest = left.plan.zones.flatMap(writesOf);
      expect([left.edits, left.conflicts]).toEqual([[], []]);
      const end = { ...after(now, rest), settings: { ...now.settings, ...desired.settings } as LiveZone["settings"] };
      expect(plan([desired], new Map([[nameKey(live.name), end]])).zones).toEqual([]);
    }),
  );
});

test("writes only approved changes, and keeps every other edit, whatever others do", () => {
  fc.assert(
    fc.property(zones, zones, zones, fc.array(fc.boolean()), (from, to, other, picks) => {
      const live = stored(from);
      const { desired } = accept(to);
      const file = fileOf(desired, live);
      const approved = new Set(file.changes.map(effectOf).map(keyOf));
      const kept = live.records.filter((_, index) => picks[index] !== true);
      const added = stored(other)
        .records.filter((_, index) => picks[index] === true)
        .map((record) => ({ ...record, id: asId(`other ${record.id}`) }));
      const now = { ...live, records: [...kept, ...added] };
      const left = leftOf(file, desired, now);
      if (left.conflicts.length > 0) return;
      for (const effect of effectsOf(left.plan)) expect(approved).toContain(keyOf(effect));
    }),
  );
});

function keyOf({ zone, kind, name, type, before, after }: Effect): string {
  return JSON.stringify([zone, kind, name, type, before, after]);
}
