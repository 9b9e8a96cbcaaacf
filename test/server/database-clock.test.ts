import { expect, test } from "vitest";
import { DatabaseClock } from "../../src/server/store/postgres/database-clock.ts";

/** `5s` passes, `12@3` is a reading of the time 12 that takes 3; then what the clock shows after each step. */
test.each([
  ["100@0 10s", "100 110"],
  // The answer may have been given at any moment of its way: the clock shows the earliest one, which is never ahead.
  ["100@4", "100"],
  // Slower readings change nothing while they agree.
  ["100@0 10s 110@5 5s 118@2 5s", "100 110 115 120 120 125"],
  ["100@0 1s 105@8", "100 101 109"],
  // The database was set forward and back.
  ["100@0 1s 3701@2", "100 101 3701"],
  ["3700@0 1s 101@2", "3700 3701 103"],
])("%s", async (steps, expected) => {
  let passed = 7;
  const clock = new DatabaseClock(() => passed);
  const shown: number[] = [];
  for (const step of steps.split(" ")) {
    const [time, took] = step.split("@").map(Number);
    if (step.endsWith("s")) passed += Number.parseInt(step, 10);
    else
      await clock.read(async () => {
        passed += took ?? 0;
        return time ?? 0;
      });
    shown.push(clock.now().getTime());
  }
  expect(shown.join(" ")).toBe(expected);
});
