import { expect, test } from "vitest";
import { isNightly } from "../properties.ts";
import { trial } from "./trial.ts";

/** A sample, larger in CI; the long run is `npm run fuzz -- apply 20000`. */
const schedules = isNightly ? 14 : 4;

test("random fault schedules: no duplicate, no loss, no overwritten change of others", async () => {
  const failing: Record<number, readonly string[]> = {};
  for (let seed = 1; seed <= schedules; seed++) {
    const { faults } = await trial(seed);
    if (faults.length > 0) failing[seed] = faults;
  }
  expect(failing).toEqual({});
}, 300_000);
