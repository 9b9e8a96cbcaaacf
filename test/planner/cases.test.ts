import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { planZone } from "../../src/planner/plan.ts";
import { stepsText } from "./steps-text.ts";
import { desiredOf, liveOf } from "./world.ts";

const folder = join(import.meta.dirname, "../cases/plans");
const pages = readdirSync(folder).filter((file) => file.endsWith(".yaml"));

/** Records as master files write them; see `world.ts` for what is around them and `steps-text.ts` for the changes. */
interface Page {
  readonly current: string;
  readonly desired: string;
  readonly changes: string;
  readonly back: string;
}

describe.each(pages)("%s", (file) => {
  const page = parse(readFileSync(join(folder, file), "utf8")) as Page;

  test.each([
    ["forward", page.current, page.desired, page.changes],
    ["back", page.desired, page.current, page.back],
    ["desired on both sides", page.desired, page.desired, ""],
  ])("%s", (_, current, desired, changes) => {
    const live = liveOf(current);
    const plan = planZone(desiredOf(desired), live);
    expect(stepsText(plan)).toBe(changes.trimEnd());
    const end = play(plan, live);
    expect(end.faults).toEqual([]);
    expect(stepsText(planZone(desiredOf(desired), end.live))).toBe("");
  });
});
