import { expect, test } from "vitest";
import { trial } from "./trial.ts";

/** The long run is `npm run fuzz -- apply 20000`. */
test("300 schedules: nothing twice, nothing lost, nothing of others overwritten", async () => {
  const failing: Record<number, readonly string[]> = {};
  for (let seed = 1; seed <= 300; seed++) {
    const { faults } = await trial(seed);
    if (faults.length > 0) failing[seed] = faults;
  }
  expect(failing).toEqual({});
}, 300_000);
