// @suite long

import { expect, test } from "vitest";
import { isMissing } from "../../judges.ts";
import { judgeServedWorlds } from "./served-worlds.ts";

test.skipIf(isMissing("named"))("BIND serves each state of worlds: dark is what the plans declare", async () => {
  const count = 40;
  const { faults, states, questions, gaps } = await judgeServedWorlds(1, count);
  expect(faults).toEqual({});
  expect(states).toBeGreaterThan(count * 2);
  expect(gaps).toBeGreaterThan(0);
  expect(questions).toBeGreaterThan(count * 100);
});
