import { describe, expect, test } from "vitest";
import { pages, pageText, planned, readPage, worldOf } from "./page.ts";
import { anOrder, store } from "./store.ts";

/** Numbers that choose among the steps that may begin: always the first, always the last, and here and there. */
const choices = [[0], [-1], [3, 1, 4, 1, 5, 9, 2, 6]];

describe.each(pages)("%s", (file) => {
  const page = readPage(file);

  test.each([
    ["forward", page.current, page.desired, page.changes],
    ["back", page.desired, page.current, page.back],
    ["desired on both sides", page.desired, page.desired, ""],
  ])("%s", (_, current, desired, changes) => {
    const world = worldOf(current, desired);
    const plan = planned(world);
    expect(plan.unproved).toEqual([]);
    expect(pageText(plan, typeof page.desired !== "string")).toBe(changes);
    for (const numbers of choices) {
      const order = anOrder(plan, numbers);
      const { live, refused } = store(plan, world.live, order);
      expect(refused).toEqual([]);
      expect(planned({ ...world, live }).zones).toEqual([]);
    }
  });
});
