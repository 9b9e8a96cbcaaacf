// @suite long

import { expect, onTestFinished, test } from "vitest";
import { Killing } from "./killing.ts";

/** A sample of the journal's lines; every line: `npm run fuzz -- kill`. */
const stride = 300;

test("killed at any line of the journal: the next apply completes without duplicates", async () => {
  const killing = new Killing();
  onTestFinished(() => killing.stop());
  await killing.start();
  const faults: Record<number, readonly string[]> = {};
  for (let line = 271; line <= 540; line += stride) {
    const killed = await killing.at(line);
    if (killed.faults.length > 0) faults[line] = killed.faults;
  }
  expect(faults).toEqual({});
}, 240_000);
