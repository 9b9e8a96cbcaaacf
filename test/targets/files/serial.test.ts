import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SerialPolicy } from "../../../src/config/target-kinds.ts";
import { chooseSerial } from "../../../src/targets/files/serial.ts";

const evening = "2026-11-30T23:59:59Z"; // 1796083199 seconds
const morning = "2026-12-01T00:00:00Z";

test.each<[title: string, policy: SerialPolicy, now: string, others: readonly number[], serial: number | undefined]>([
  ["the first one is the time", "unixtime", evening, [], 1_796_083_199],
  ["the first one is the first of the day", "date", evening, [], 2_026_113_000],
  ["a later time", "unixtime", evening, [1_796_083_000], 1_796_083_199],
  ["twice in a second", "unixtime", evening, [1_796_083_199], 1_796_083_200],
  ["a clock that went back by a year", "unixtime", "2025-11-30T00:00:00Z", [1_796_083_199], 1_796_083_200],
  ["the second change of a day", "date", evening, [2_026_113_000], 2_026_113_001],
  ["the next day, in UTC", "date", morning, [2_026_113_001], 2_026_120_100],
  ["the 100th change of a day has a serial of the next one", "date", evening, [2_026_113_099], 2_026_113_100],
  ["a new day after 100 changes", "date", morning, [2_026_113_107], 2_026_120_100],
  ["1,000 changes in a day: one more until they are passed", "date", morning, [2_026_120_150], 2_026_120_151],
  ["from unixtime up to date", "date", evening, [1_796_083_199], 2_026_113_000],
  ["from date down to unixtime: one more until it is passed", "unixtime", evening, [2_026_113_000], 2_026_113_001],
  ["above the served one, not only the written one", "unixtime", evening, [5, 1_900_000_000], 1_900_000_001],
  ["above both, in either order", "unixtime", evening, [1_900_000_000, 5], 1_900_000_001],
  ["the largest one is followed by 1, and never by 0", "unixtime", "2106-02-07T06:28:15Z", [2 ** 32 - 1], 1],
  ["a serial more than 2^31 ahead counts as behind", "unixtime", evening, [4_294_000_000], 1_796_083_199],
  ["0 is a serial", "unixtime", evening, [0], 1_796_083_199],
  ["two serials 2^31 apart have none above both", "date", evening, [10, 10 + 2 ** 31], undefined],
  [
    "nor have two that are one less apart",
    "unixtime",
    evening,
    [2_000_000_000, 2_000_000_000 + 2 ** 31 - 1],
    undefined,
  ],
])("%s: %s", (_, policy, now, others, serial) => {
  expect(chooseSerial(policy, Date.parse(now), others)).toBe(serial);
});

/** RFC 1982 §3.2, as it is written there. */
function isGreater(s1: number, s2: number): boolean {
  const half = 2 ** 31;
  return (s1 < s2 && s2 - s1 > half) || (s1 > s2 && s1 - s2 < half);
}

describe("properties", () => {
  const serial = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  const time = fc.integer({ min: 0, max: Date.parse("2099-12-31T23:59:59Z") });
  const policy = fc.constantFrom<SerialPolicy>("unixtime", "date");

  test("a serial is above all others, and there is one above a single other", () => {
    fc.assert(
      fc.property(policy, time, fc.array(serial, { maxLength: 3 }), (policy, now, others) => {
        const chosen = chooseSerial(policy, now, others);
        if (others.length < 2) expect(chosen).toBeDefined();
        for (const other of chosen === undefined ? [] : others) expect(isGreater(chosen as number, other)).toBe(true);
      }),
    );
  });

  test("serials rise whatever the clock and the policy do", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(policy, time), { minLength: 2, maxLength: 20 }), (moments) => {
        let last: number | undefined;
        for (const [policy, now] of moments) {
          const next = chooseSerial(policy, now, last === undefined ? [] : [last]);
          if (next === undefined) throw new Error("there is always one");
          if (last !== undefined) expect(isGreater(next, last)).toBe(true);
          last = next;
        }
      }),
    );
  });
});
