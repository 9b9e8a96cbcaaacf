import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTags, valuesOf } from "../../../src/dns/policies/tags.ts";

/** By hand from RFC 6376 §3.2: tags as name=value, `!` before text that is not a tag. */
describe("tag lists", () => {
  test.each<[string, string[]]>([
    ["v=DMARC1; p=none", ["v=DMARC1", "p=none"]],
    ["v=DMARC1;p=none;", ["v=DMARC1", "p=none"]],
    [" v = DMARC1 ;\tp\t=\r\n none ; ", ["v=DMARC1", "p=none"]],
    ["p=", ["p="]],
    ["p=a=b==", ["p=a=b=="]],
    ["rua=mailto:a@example.com, mailto:b@example.com", ["rua=mailto:a@example.com, mailto:b@example.com"]],
    ["P=None; p=reject", ["P=None", "p=reject"]],
    ["", []],
    [";", ["!"]],
    ["a=1;;b=2", ["a=1", "b=2", "!"]],
    ["a=1; none; =2; 1x=3; b_2=4", ["a=1", "b_2=4", "!none", "!=2", "!1x=3"]],
  ])("%j", (text, expected) => {
    const { tags, malformed } = parseTags(text);
    const found = [...tags.map(({ name, value }) => `${name}=${value}`), ...malformed.map((span) => `!${span.text}`)];
    expect(found).toEqual(expected);
  });
});

test("offsets point into the text", () => {
  const text = " v = DMARC1 ; none; p= reject";
  const { tags, malformed } = parseTags(text);
  expect(tags.map(({ start, end, valueStart }) => [start, end, valueStart])).toEqual([
    [1, 11, 5],
    [20, 29, 23],
  ]);
  expect(malformed).toEqual([{ text: "none", start: 14, end: 18 }]);
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."v=p; \tx1_;,") }), (text) => {
      const { tags, malformed } = parseTags(text);
      for (const span of [...tags, ...malformed]) expect(text.slice(span.start, span.end)).toBe(span.text);
      for (const { value, valueStart } of tags) expect(text.startsWith(value, valueStart)).toBe(true);
    }),
  );
});

test("finds all values of a tag in any letter case", () => {
  expect(valuesOf(parseTags("P=none; sp=reject; p=reject"), "p")).toEqual(["none", "reject"]);
});
