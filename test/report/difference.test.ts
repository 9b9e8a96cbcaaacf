import fc from "fast-check";
import { expect, test } from "vitest";
import { differenceOf } from "../../src/report/text/difference.ts";

test.each([
  ["192.0.2.25", "192.0.2.26", "192.0.2.2[5|6]"],
  ["v=spf1 ~all", "v=spf1 -all", "v=spf1 [~|-]all"],
  ["10 mail", "20 mail", "[1|2]0 mail"],
  ["same", "same", "same[|]"],
  ["ab", "abab", "ab[|ab]"],
  ["abab", "ab", "ab[ab|]"],
  ["203.0.113.9", "198.51.100.7", "[203.0.113.9|198.51.100.7]"],
  ["", "x", "[|x]"],
  ['"caf\\195\\169 one"', '"caf\\195\\168 one"', '"caf\\195[\\169|\\168] one"'],
  ["日本🎌語", "日本🎏語", "日本[🎌|🎏]語"],
  ["cafe\u0301 au lait", "cafe\u0300 au lait", "caf[e\u0301|e\u0300] au lait"],
])("%s → %s", (old, fresh, expected) => {
  const { head, before, after, tail } = differenceOf(old, fresh);
  expect(`${head}[${before}|${after}]${tail}`).toBe(expected);
});

test("its parts are the two texts", () => {
  const text = fc.string({ unit: fc.constantFrom(..."aab\\1é🎌"), maxLength: 12 });
  fc.assert(
    fc.property(text, text, (old, fresh) => {
      const { head, before, after, tail } = differenceOf(old, fresh);
      expect([head + before + tail, head + after + tail]).toEqual([old, fresh]);
    }),
  );
});
