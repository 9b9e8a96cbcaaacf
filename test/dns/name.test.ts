import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  asName,
  isInside,
  labels,
  octets as octetsOf,
  parent,
  readName,
  relativeTo,
  root,
  sortKey,
  spellLabel,
} from "../../src/dns/name/name.ts";
import { toOctets } from "../../src/dns/name/text.ts";
import { domainName } from "../names.ts";
import { samples } from "../properties.ts";
import { titled } from "../titles.ts";
import { label, nameIn } from "./arbitrary.ts";

describe("readName", () => {
  test.each([
    ["host", "example.", "host.example."],
    ["host", ".", "host."],
    ["host.", "example.", "host."],
    ["@", "example.", "example."],
    [".", "example.", "."],
    ["Host.Example.NET.", "example.", "Host.Example.NET."],
    ["a\\.b", "example.", "a\\.b.example."],
    ["a\\.", "example.", "a\\..example."],
    ["a\\\\.", "example.", "a\\\\."],
    ["\\097\\046\\065", "example.", "a\\.A.example."],
    ["\\@", "example.", "\\@.example."],
    ["a b", "example.", "a\\032b.example."],
    ['@a"b(c)d;e$f', "example.", '\\@a\\"b\\(c\\)d\\;e\\$f.example.'],
    ["\u00c3\u00a9", "example.", "xn--9ca.example."],
    ["\\195\\169", "example.", "\\195\\169.example."],
    ["\u00c3", "example.", "\\195.example."],
  ])("%j below %j is %j", (text, origin, expected) => {
    expect(readName(text, asName(origin))).toBe(expected);
  });

  /** Expected by Python's idna 3.20 (UTS 46, nontransitional). */
  test.each([
    ["ג׳ירפה", "xn--6dbeo8bt8d"],
    ["צה״ל", "xn--8dbq2a9c"],
    ["α͵β", "xn--wva3je"],
    ["བོད་ཡིག", "xn--nbd4itbt1dwfyc"],
    ["ا۽ب", "xn--mgbc25d"],
    ["カ・タ", "xn--lckxb3k"],
    ["l·l", "xn--ll-0ea"],
    ["क्\u200dष", "xn--11b2ezcw70k"],
  ])("%s is converted to %s: a character of its script", (label, expected) => {
    expect(readName(toOctets(label), domainName("example."))).toBe(`${expected}.example.`);
  });

  /** RFC 5892 A.3 to A.7; Python's idna refuses them too. */
  test.each(["a·b", "α͵", "׳א", "a״", "・", "a・b"])("%s has a character out of its context", (label) => {
    expect(() => readName(toOctets(label), domainName("example."))).toThrow("cannot be converted to ASCII");
  });

  const faults: [string, string][] = [
    ["", "the name is empty"],
    ["a..b", "the name has an empty label"],
    [".a", "the name has an empty label"],
    ["..", "the name has an empty label"],
    ["x".repeat(64), "a label is 64 octets long; the limit is 63"],
    ["\\255".repeat(64), "a label is 64 octets long; the limit is 63"],
    ["xxxxxxx.".repeat(31).slice(0, -1), "the name is 257 octets long; the limit is 255"],
    ["a\\256", "a backslash before a digit must be followed by three digits up to 255"],
    ["a\\1b2", "a backslash before a digit must be followed by three digits up to 255"],
    ["a\\", "the name ends with a backslash"],
  ];
  test.each(titled(faults, ([text, message]) => `rejects ${JSON.stringify(text)}: ${message}`))(
    "%s",
    (_, text, message) => {
      expect(() => readName(text, domainName("example."))).toThrow(message);
    },
  );

  test("reading is idempotent", () => {
    fc.assert(
      fc.property(nameIn(domainName("Example.com.")), (name) => {
        expect(readName(name, domainName("other."))).toBe(name);
      }),
    );
  });
});

describe("relativeTo", () => {
  test.each([
    ["example.", "example.", "@"],
    ["EXAMPLE.", "example.", "@"],
    ["www.example.", "example.", "www"],
    ["www.Example.", "example.", "www"],
    ["a.b.example.", "example.", "a.b"],
    ["notexample.", "example.", "notexample."],
    ["a\\.example.", "example.", "a\\.example."],
    ["example.net.", "example.", "example.net."],
    ["www.", ".", "www."],
    [".", ".", "@"],
    [".", "example.", "."],
  ])("%j in %j is %j", (name, origin, expected) => {
    expect(relativeTo(asName(name), asName(origin))).toBe(expected);
  });

  test("is the inverse of readName, inside and outside the zone", () => {
    const zones = fc.constantFrom(domainName("example."), domainName("a\\.b.test."), root);
    const names = fc.oneof(
      nameIn(domainName("example.")),
      nameIn(domainName("a\\.b.test.")),
      nameIn(domainName("host.example.net.")),
      fc.constant(root),
    );
    fc.assert(
      fc.property(names, zones, (name, zone) => {
        expect(readName(relativeTo(name, zone), zone)).toBe(name);
      }),
    );
  });
});

test.each([
  ["example.", "example.", true],
  ["www.EXAMPLE.", "example.", true],
  ["anything.", ".", true],
  [".", ".", true],
  [".", "example.", false],
  ["notexample.", "example.", false],
  ["not\\.example.", "example.", false],
  ["not\\\\.example.", "example.", true],
  ["example.", "www.example.", false],
])("isInside(%j, %j) is %j", (name, zone, expected) => {
  expect(isInside(asName(name), asName(zone))).toBe(expected);
});

test.each<[string, string[], string]>([
  [".", [], "."],
  ["example.", ["example"], "."],
  ["a\\.b.example.", ["a\\.b", "example"], "example."],
  ["a\\\\.b.", ["a\\\\", "b"], "b."],
  ["\\046.b.", ["\\046", "b"], "b."],
])("labels and parent of %j", (name, expected, above) => {
  expect(labels(name)).toEqual(expected);
  expect(parent(asName(name))).toBe(above);
});

test("labels are the same bytes in every spelling", () => {
  fc.assert(
    fc.property(label, (spelling) => {
      expect(spellLabel(octetsOf(spelling))).toBe(spelling);
    }),
  );
});

describe("sortKey", () => {
  test("follows the order of RFC 4034 §6.1", () => {
    const inOrder = [
      "example.",
      "a.example.",
      "yljkjljk.a.example.",
      "Z.a.example.",
      "zABC.a.EXAMPLE.",
      "z.example.",
      "\\001.z.example.",
      "*.z.example.",
      "\\200.z.example.",
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(inOrder, { minLength: inOrder.length }), (names) => {
        expect([...names].sort((a, b) => (sortKey(asName(a)) < sortKey(asName(b)) ? -1 : 1))).toEqual(inOrder);
      }),
    );
  });

  test.each([
    ["a zero byte does not end a label", "a.z.example.", "z\\000a.example."],
    ["a shorter label comes first", "z.example.", "za.example."],
    ["the root comes first", ".", "\\000."],
    ["a zero byte sorts after the label's end", "z.example.", "z\\000.example."],
  ])("%s", (_, first, second) => {
    expect(sortKey(asName(first)) < sortKey(asName(second))).toBe(true);
  });

  test("compares bytes in lower case, label by label from the right", () => {
    const names = nameIn(domainName("example."));
    fc.assert(
      fc.property(names, names, (a, b) => {
        const byKey = Math.sign(Number(sortKey(a) > sortKey(b)) - Number(sortKey(asName(a)) < sortKey(asName(b))));
        expect(byKey).toBe(Math.sign(compareLabels(a, b)));
      }),
      samples(1000),
    );
  });
});

/** RFC 4034 §6.1, word by word. */
function compareLabels(a: string, b: string): number {
  const [left, right] = [a, b].map((name) =>
    labels(name)
      .reverse()
      .map((label) => Buffer.from(lower(octetsOf(label)), "latin1")),
  );
  for (const [index, label] of (left ?? []).entries()) {
    const other = right?.[index];
    if (other === undefined) return 1;
    const order = Buffer.compare(label, other);
    if (order !== 0) return order;
  }
  return (left?.length ?? 0) - (right?.length ?? 0);
}

/** Only the letters of ASCII have two cases (RFC 4034 §6.2). */
function lower(octets: string): string {
  return octets.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
