import fc from "fast-check";
import { expect, test } from "vitest";
import { columns } from "../../src/report/columns.ts";
import { progressBar, progressLog } from "../../src/report/progress.ts";

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
  expect(progressBar({ event, seconds: 10, width, style })).toBe(expected);
});

test("a bar in ASCII, and one without a known total", () => {
  expect(progressBar({ event, seconds: 10, width: 40, style: { color: false, unicode: false } })).toBe(
    "applying  ##-------  300 of 1200 writes",
  );
  const first = { task: "planning", unit: "zone", done: 0, total: 0 };
  expect(progressBar({ event: first, seconds: 0, width: 60, style })).toBe(
    "planning  ░░░░░░░░░░░░░░░░░░░░░░░░  0 of 0 zones",
  );
});

test.each([
  [10, "applying: 300 of 1200 writes, 30 seconds left, 30 per second, 3 of 9 zones verified, 1 failed"],
  [600, "applying: 300 of 1200 writes, 30 minutes left, 30 per minute, 3 of 9 zones verified, 1 failed"],
])("the line in a log after %i seconds", (seconds, expected) => {
  expect(progressLog(event, seconds)).toBe(expected);
});

test("a bar is narrower than the terminal", () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 200 }), fc.nat(9999), fc.nat(500), (width, done, seconds) => {
      const bar = progressBar({ event: { ...event, done, total: 9999 }, seconds, width, style });
      expect(columns(bar)).toBeLessThan(width);
    }),
  );
});
