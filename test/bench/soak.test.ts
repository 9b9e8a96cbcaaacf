// @suite nightly

import { expect, test } from "vitest";
import { isFlat, soak } from "./soak.ts";

const mebibytes = (live: number) => ({ live: live * 2 ** 20 });

test.each([
  ["the same", 60, 60, true],
  ["caches that fill up", 60, 66, true],
  ["a small server that loads a module", 10, 15, true],
  ["less", 60, 40, true],
  ["a quarter more", 60, 75, false],
  ["as much again", 60, 120, false],
])("memory: %s", (_, early, late, expected) => {
  expect(isFlat(mebibytes(early), mebibytes(late))).toBe(expected);
});

// An hour of it, with latencies: npm run bench -- soak 3600
test("a minute of reads, writes, transfers and questions leaves the memory as it was", {
  timeout: 300_000,
}, async () => {
  const { memory, times } = await soak(60, 25); // other suites run at the same time
  const [early, , late] = memory;
  for (const third of times) for (const list of Object.values(third)) expect(list.length).toBeGreaterThan(0);
  expect(early && late && isFlat(early, late), JSON.stringify(memory)).toBe(true);
});
