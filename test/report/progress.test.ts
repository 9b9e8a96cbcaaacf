import fc from "fast-check";
import { expect, test } from "vitest";
import { progressBar, progressLog } from "../../src/report/apply/progress.ts";
import { columns } from "../../src/report/text/columns.ts";

const style = { color: false, unicode: true };
const event = {
  task: "applying",
  unit: "write",
  done: 300,
  total: 1200,
  details: ["3 of 9 zones verified", "1 failed"],
};

test.each([
  [
    120,
    "applying  █████░░░░░░░░░░░░░░░  300 of 1200 writes · 30 seconds left · 30 per second · 3 of 9 zones verified · 1 failed",
  ],
  [80, "applying  ███░░░░░░░░░░░░  300 of 1200 writes · 30 seconds left · 30 per second"],
  [60, "applying  ██░░░░░░░░░  300 of 1200 writes · 30 seconds left"],
  [40, "applying  ██░░░░░░░  300 of 1200 writes"],
  [30, "applying  300 of 1200 writes"],
  [20, "300 of 1200 writes"],
  [10, "300/1200"],
])("a bar on a terminal of %i columns", (width, expected) => {
  expect(progressBar({ event, seconds: 10, idleSeconds: 0 }, { width, style })).toBe(expected);
});

test("a bar in ASCII, and one without a known total", () => {
  const ascii = { width: 40, style: { color: false, unicode: false } };
  expect(progressBar({ event, seconds: 10, idleSeconds: 0 }, ascii)).toBe("applying  ##-------  300 of 1200 writes");
  const first = { task: "reading live zones", unit: "zone", done: 0, total: 0 };
  expect(progressBar({ event: first, seconds: 3, idleSeconds: 3 }, { width: 60, style })).toBe(
    "reading live zones  ░░░░░░░░░░░░░░░░  waiting for 3 seconds",
  );
});

test("a bar without progress for five seconds shows how long it waits, instead of a rate", () => {
  const bars = [4.9, 5, 119, 121].map((idleSeconds) =>
    progressBar({ event, seconds: 200, idleSeconds }, { width: 80, style }).replace(/^.*░ {2}/, ""),
  );
  expect(bars).toEqual([
    "300 of 1200 writes · 10 minutes left · 2 per second",
    "300 of 1200 writes · waiting for 5 seconds",
    "300 of 1200 writes · waiting for 1 minute 59 seconds",
    "300 of 1200 writes · waiting for 2 minutes 1 second",
  ]);
});

test.each([
  [10, "applying: 300 of 1200 writes, 30 seconds left, 30 per second, 3 of 9 zones verified, 1 failed"],
  [600, "applying: 300 of 1200 writes, 30 minutes left, 30 per minute, 3 of 9 zones verified, 1 failed"],
])("the line in a log after %i seconds", (seconds, expected) => {
  expect(progressLog({ event, seconds, idleSeconds: 0 })).toBe(expected);
});

test("a bar is narrower than the terminal", () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 200 }), fc.nat(9999), fc.nat(500), (width, done, seconds) => {
      const progress = { event: { ...event, done, total: 9999 }, seconds, idleSeconds: seconds / 50 };
      const bar = progressBar(progress, { width, style });
      expect(columns(bar)).toBeLessThan(width);
    }),
  );
});
