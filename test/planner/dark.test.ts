// @suite long

import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Draft } from "../../src/planner/order/draft.ts";
import { explore } from "../../src/planner/order/explore.ts";
import { Milestones } from "../../src/planner/order/overlay.ts";
import { askByDig } from "../fuzz/dark/ask-dig.ts";
import { Secondary } from "../fuzz/dark/ask-secondary.ts";
import { declaredGaps } from "../fuzz/dark/declared.ts";
import { generate } from "../fuzz/dark/generate.ts";
import { judge } from "../fuzz/dark/judge.ts";
import { Lookup } from "../fuzz/dark/lookup.ts";
import { modelOf } from "../fuzz/dark/model.ts";
import { byId } from "../fuzz/dark/order.ts";
import { readPages } from "../fuzz/dark/page.ts";
import { probesOf } from "../fuzz/dark/probes.ts";
import { DarkService } from "../fuzz/dark/service.ts";
import { tangle } from "../fuzz/dark/tangle.ts";
import { runPlan } from "../fuzz/dark/trial.ts";
import type { DarkWorld } from "../fuzz/dark/world.ts";
import { planWorld } from "../fuzz/dark/world.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { isNightly } from "../properties.ts";
import { zoneOf } from "./world.ts";

/**
 * The name service is asked after every write of an allowed order. What it says is the judge of what plans declare, and
 * nothing of the planner is. The long run is `npm run fuzz -- dark`.
 */
let service: DarkService;
beforeAll(async () => {
  service = await DarkService.open();
});
afterEach(() => {
  service.ask = service.asker.ask;
});
afterAll(() => service.close());

/** Outside of the nightly run, a part of the allowed orders and of the generated worlds. */
const [orders, worlds] = isNightly ? [3, 12] : [1, 3];

test.each(readPages())("$file: declares exactly the gaps", async ({ world }) => {
  expect((await judge(service, world, { seed: 1, orders, isApplied: true })).findings).toEqual([]);
});

test("generated worlds: declares exactly the gaps", async () => {
  for (let seed = 1; seed <= worlds; seed++) {
    const { findings } = await judge(service, generate(seed), { seed, orders: 1, isApplied: seed % 5 === 0 });
    expect(findings).toEqual([]);
  }
});

/**
 * Aliases that exchange their targets have more than 1,000 states, so their answers are followed in one order, in which
 * all of their steps wait for each other.
 */
test.each<[seed: number, gaps: string[]]>([
  [2, []],
  ...(isNightly ? [[22, ["a0.example.com. AAAA"]] satisfies [number, string[]]] : []),
])("tangle %s: names with too many states have only declared gaps in the chosen order", async (seed, gaps) => {
  const world = tangle(seed);
  const plan = planWorld(world, await service.begin(world));
  const steps = plan.zones.flatMap(({ steps }) => steps);
  expect(steps.filter(({ id, needs }) => id > 1 && !needs.includes(id - 1))).toEqual([]);
  const declared = [...declaredGaps(plan)].flatMap(([owner, types]) => [...types].map((type) => `${owner} ${type}`));
  expect(declared).toEqual(expect.arrayContaining(gaps));
  expect((await judge(service, world, { seed, orders: 1 })).findings).toEqual([]);
});

test("checks up to 1,000 states one by one, and not all beyond", () => {
  const explored = (count: number) => {
    const drafts = Array.from({ length: count }, () => ({ kind: "write" }) as Draft);
    const milestones = new Milestones();
    return explore((choose) => drafts.filter((draft) => choose(milestones.of(draft), 0)).length < count);
  };
  expect(explored(9)).toMatchObject({ isComplete: true, failures: [Array.from({ length: 9 }, () => ({ least: 1 }))] });
  expect(explored(10).isComplete).toBe(false);
});

describe("the gap checker", () => {
  test("detects each type of a name that goes dark after leaving a wildcard, except the first", async () => {
    const { world } = readPages().find(({ file }) => file === "wildcard-types.yaml") ?? expect.fail();
    const { moments, writes } = await runPlan(service, world, byId);
    const [first] = writes;
    const came = first?.kind === "record" && first.change.kind === "create" ? first.change.after.type : expect.fail();
    expect(moments.map(({ owner, type, at }) => `${owner} ${type} ${at}`).sort()).toEqual(
      ["A", "AAAA", "MX"].filter((type) => type !== came).map((type) => `app.example.com. ${type} 1`),
    );
  });

  const ofOneZone = readPages().filter(({ world: { zones } }) => zones.length === 1);

  // Each question starts a program: a fourth of the pages.
  const ofDig = ofOneZone.filter((_, index) => isNightly || index % 4 === 0);

  test.skipIf(isMissing("dig")).each(ofDig)("agrees with dig: $file", async ({ world }) => {
    const asked = await momentsOf(world);
    service.ask = askByDig(service.port);
    expect(await momentsOf(world)).toEqual(asked);
  });

  /** The first generated worlds of one zone. */
  const generated = Array.from({ length: 40 }, (_, index) => ({ seed: index + 1, world: generate(index + 1) }))
    .filter(({ world: { zones } }) => zones.length === 1)
    .slice(0, isNightly ? 2 : 1);

  test.skipIf(isMissing("dig")).each(generated)("agrees with dig: seed $seed", async ({ world }) => {
    const asked = await momentsOf(world);
    service.ask = askByDig(service.port);
    expect(await momentsOf(world)).toEqual(asked);
  });

  test
    .skipIf(isMissing("knotd"))
    .each([
      ...ofOneZone.slice(-2).map(({ file, world }) => ({ what: file, world })),
      ...generated.map(({ seed, world }) => ({ what: `seed ${seed}`, world })),
    ])("agrees with Knot as a secondary: $what", async ({ world }) => {
    const asked = await momentsOf(world);
    await service.begin(world);
    const secondary = await Secondary.start("knot", service, [domainName("example.com.")]);
    onTestFinished(() => secondary.stop());
    service.ask = secondary.ask;
    expect(await momentsOf(world)).toEqual(asked);
  });

  test("agrees with a model name server, so that all orders can be checked", async () => {
    for (let seed = 1; seed <= 10; seed++) {
      const world = generate(seed);
      const stored = await service.begin(world);
      const zones = world.zones.map(({ name }) => name);
      const [asked, modelled] = [service.asker.ask, modelOf(before(world))].map((ask) => new Lookup(ask, zones));
      for (const { name, type } of probesOf(world, planWorld(world, stored), new Map()))
        expect([seed, name, type, await modelled?.end(name, type)]).toEqual([
          seed,
          name,
          type,
          await asked?.end(name, type),
        ]);
    }
  });
});

/** The lookups without an answer in the order of the ids, and since when. */
async function momentsOf(world: DarkWorld): Promise<string[]> {
  const { moments } = await runPlan(service, world, byId);
  return moments.map(({ owner, type, at }) => `${owner} ${type} from write ${at}`);
}

function before({ zones }: DarkWorld) {
  const served = zones.flatMap(({ name, before }) =>
    before && !before.isDisabled ? [[name, [...zoneOf(before.lines.join("\n"), name).records]] as const] : [],
  );
  return new Map(served);
}
