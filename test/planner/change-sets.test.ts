import { describe, expect, test } from "vitest";
import type { Strength } from "../../src/planner/changes/in-order.ts";
import { contractSteps } from "../../src/planner/order/change-sets.ts";
import type { PlannedStep, ZoneDraft } from "../../src/planner/order/draft.ts";
import { Random } from "../executor/random.ts";
import { samples } from "../properties.ts";
import { plan } from "./plan-now.ts";
import { desiredOf, liveOf } from "./world.ts";

/** Steps of zones, by the number of the zone, with the indexes of the steps that each needs. */
type Graph = readonly { readonly zone: number; readonly needs: readonly number[] }[];

const zones = [0, 1, 2].map((number) => {
  const draft = plan([desiredOf(`a A 192.0.2.1`, `z${number}.example.`)], new Map()).zones[0];
  return draft as unknown as ZoneDraft;
});

function stepsOf(graph: Graph, strength: Strength = "preferred"): PlannedStep[] {
  const [write] = plan([desiredOf("a A 192.0.2.1")], new Map()).zones[0]?.steps[0]?.writes ?? [];
  if (!write) throw new Error("a write");
  const steps = graph.map(
    ({ zone }): PlannedStep => ({ zone: zones[zone] as ZoneDraft, kind: "write", writes: [write], needs: new Map() }),
  );
  for (const [index, { needs }] of graph.entries())
    for (const need of needs) steps[index]?.needs.set(steps[need] as PlannedStep, strength);
  return steps;
}

/** The fewest sets, by trying every turn order in which a zone takes any part of what it can take. */
function fewestByForce(graph: Graph): number {
  const full = 2 ** graph.length - 1;
  const least = new Map<number, number>([[0, 0]]);
  let open = [0];
  for (let sets = 0; !least.has(full); sets++) {
    const next: number[] = [];
    for (const done of open)
      for (let more = 1; more <= full; more++) {
        if ((done & more) !== 0 || least.has(done | more)) continue;
        const members = graph.flatMap((step, index) => ((more >> index) & 1 ? [step] : []));
        const isOneZone = members.every(({ zone }) => zone === members[0]?.zone);
        const isReady = members.every(({ needs }) => needs.every((need) => ((done | more) >> need) & 1));
        if (!isOneZone || !isReady) continue;
        least.set(done | more, sets + 1);
        next.push(done | more);
      }
    open = next;
  }
  return least.get(full) ?? 0;
}

function randomGraph(seed: number): Graph {
  const random = new Random(seed);
  const count = 2 + random.below(7);
  const density = 1 + random.below(4);
  return Array.from({ length: count }, (_, index) => ({
    zone: random.below(3),
    needs: Array.from({ length: index }, (_, need) => need).filter(() => random.below(5) < density - 1),
  }));
}

test("makes the fewest change sets, in an order without cycles", () => {
  for (let seed = 1; seed <= samples(3000).numRuns; seed++) {
    const graph = randomGraph(seed);
    const steps = stepsOf(graph);
    const { sets, setOf } = contractSteps(steps);
    expect(sets.length, `seed ${seed}`).toBe(fewestByForce(graph));
    const done = new Set<PlannedStep>();
    for (const set of sets) {
      expect(
        [...set.needs.keys()].every((need) => done.has(need)),
        `seed ${seed}`,
      ).toBe(true);
      done.add(set);
    }
    for (const [index, { needs }] of graph.entries()) {
      const set = setOf.get(steps[index] as PlannedStep);
      const needed = needs.map((need) => setOf.get(steps[need] as PlannedStep)).filter((one) => one !== set);
      for (const one of needed) expect(one && set?.needs.has(one), `seed ${seed}`).toBe(true);
    }
    expect(sets.flatMap(({ parts = [] }) => parts)).toHaveLength(steps.length);
  }
});

describe("steps that need each other", () => {
  test("are in one set where they are of one zone", () => {
    const graph = [
      { zone: 0, needs: [1, 2] },
      { zone: 0, needs: [0] },
      { zone: 1, needs: [] },
    ];
    expect(contractSteps(stepsOf(graph)).sets.map(({ parts }) => parts?.length)).toEqual([1, 2]);
  });

  test("of two zones lose the dependency that the order of single steps loses", () => {
    const graph = [
      { zone: 0, needs: [1] },
      { zone: 1, needs: [0] },
    ];
    expect(contractSteps(stepsOf(graph, "hint")).sets).toHaveLength(2);
  });
});

describe("a plan with change sets", () => {
  const capabilities = { changeSets: "zone" } as const;
  const before = "a CNAME b\nb A 192.0.2.1\nc A 192.0.2.1\n@ MX 10 c\n";
  const after = "a A 192.0.2.2\nd A 192.0.2.1\n@ MX 10 d\n@ TXT x\n";
  const stored = liveOf(before);
  const planned = (more: object = {}) =>
    plan([desiredOf(after)], new Map([["example.com." as never, stored]]), {
      capabilities: { ...capabilities, ...more },
    });
  const setsOf = (made: ReturnType<typeof plan>) => made.zones.map(({ steps }) => steps.map(({ set }) => set));

  test("exchanges, moves and changes one zone in one set, without a gap", () => {
    const made = planned();
    expect(new Set(setsOf(made).flat()).size).toBe(1);
    expect(made.unproved).toEqual([]);
    expect(made.zones.flatMap(({ steps }) => steps.flatMap(({ gaps = [], needs }) => [...gaps, ...needs]))).toEqual([]);
    const single = plan([desiredOf(after)], new Map([["example.com." as never, stored]]));
    expect(single.zones.flatMap(({ steps }) => steps.flatMap(({ gaps = [] }) => gaps)).length).toBeGreaterThan(0);
  });

  test("splits a set that is too large where no part needs a later one", () => {
    const made = planned({ maxChangeOctets: 120 });
    const sets = setsOf(made).flat();
    expect(new Set(sets).size).toBeGreaterThan(1);
    expect(sets).toEqual([...sets].sort((a, b) => (a ?? 0) - (b ?? 0)));
    expect(made.unproved).toEqual([]);
  });

  const addresses = (owners: string, rest = "3600 A 192.0.2.1") =>
    [...owners].map((owner) => `${owner} ${rest}\n`).join("");
  const ofSet = (count: number, ttl = 3600) =>
    Array.from({ length: count }, (_, index) => `s ${ttl} A 192.0.2.${index}\n`).join("");
  const others = ofSet(3).replaceAll("192.0.2", "198.51.100");
  const target = "t A 192.0.2.1\n";
  const aliases = { before: target + addresses("ab"), after: target + addresses("ab", "3600 CNAME t") };
  // Each deletes and adds a record, compares two RRsets, and has ten conditions.
  const ofAliases = 2 * (18 + 29 + 18 + 14 + 10 * 14);

  // A record without RDATA has 14 octets at a name of one letter, an address 18, an alias 29.
  test.each<[string, { before: string; after: string; most: number; sets: number; tooLarge?: number }]>([
    ["12 addresses with 12 absent RRsets", { before: "", after: addresses("abcdefghijkl"), most: 384, sets: 1 }],
    ["the same, an octet too many", { before: "", after: addresses("abcdefghijkl"), most: 383, sets: 2 }],
    ["an RRset of 3 that is compared once", { before: ofSet(3), after: ofSet(5), most: 3 * 18 + 2 * 18, sets: 1 }],
    ["other values of an RRset of 3, in parts", { before: ofSet(3), after: others, most: 6 * 18, sets: 3 }],
    [
      "a part that is too large, as the one before left it",
      { before: ofSet(3), after: ofSet(5), most: 4 * 18, sets: 2, tooLarge: 1 },
    ],
    ["a TTL: the RRset twice", { before: ofSet(3), after: ofSet(3, 300), most: 6 * 18 + 14, sets: 1 }],
    ["the same, too large", { before: ofSet(3), after: ofSet(3, 300), most: 6 * 18 + 13, sets: 3, tooLarge: 3 }],
    ["2 names that become aliases", { ...aliases, most: ofAliases, sets: 1 }],
    ["the same, an octet too many", { ...aliases, most: ofAliases - 1, sets: 2 }],
    ["2 new aliases, whose names must be absent", { ...aliases, before: target, most: 2 * (29 + 14 + 14), sets: 1 }],
  ])("counts the octets of an update: %s", (_, { before, after, most, sets, tooLarge = 0 }) => {
    const made = plan([desiredOf(after)], new Map([["example.com." as never, liveOf(before)]]), {
      capabilities: { ...capabilities, lock: "rrset", maxChangeOctets: most, conditionsPerAlias: 10 },
    });
    expect([new Set(setsOf(made).flat()).size, made.tooLarge?.length ?? 0]).toEqual([sets, tooLarge]);
  });
});
