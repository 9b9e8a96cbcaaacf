import { expect, test } from "vitest";
import { isNightly } from "../../properties.ts";
import { judgeWorld, killWorld, overtakeWorld, type WorldResult } from "./world-trial.ts";

/** The worlds of a test; `npm run fuzz -- change-sets` tries 5,000. */
const [few, some] = isNightly ? [60, 300] : [4, 40];

/** The faults by seed; fails if the worlds try nothing. */
async function faultsOf(judge: (seed: number) => Promise<WorldResult>, count: number) {
  const found: Record<number, WorldResult["faults"]> = {};
  let trials = 0;
  for (let seed = 1; seed <= count; seed++) {
    const result = await judge(seed);
    trials += result.trials;
    if (result.faults.length > 0) found[seed] = result.faults;
  }
  expect(trials).toBeGreaterThan(count / 2);
  return found;
}

test("change sets in worlds: declared gaps, effects of single steps, few messages, exact undo", async () => {
  expect(await faultsOf(judgeWorld, some)).toEqual({});
});

test("killed at each line of the journal, a run is completed without a lost or doubled record", async () => {
  expect(await faultsOf(killWorld, few)).toEqual({});
});

test("an edit by another client before any message is kept", async () => {
  expect(await faultsOf(overtakeWorld, few)).toEqual({});
});
