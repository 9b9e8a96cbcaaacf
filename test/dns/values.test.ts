import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { durationInWords } from "../../src/diagnostics/quantities.ts";
import { readAddress6 } from "../../src/dns/name/address.ts";
import { formatDuration, readDuration } from "../../src/dns/name/duration.ts";
import { fromOctets, isUtf8, splitText, toOctets } from "../../src/dns/name/text.ts";
import { emailToName, isMailbox, nameToEmail } from "../../src/dns/types/soa.ts";
import { domainName } from "../names.ts";
import { titled } from "../titles.ts";

describe("durations", () => {
  test.each([
    ["0", 0],
    ["300", 300],
    ["00300", 300],
    ["30s", 30],
    ["5m", 300],
    ["1h", 3600],
    ["1d", 86400],
    ["1w", 604800],
    ["1h30m", 5400],
    ["30M1H", 5400],
    ["1W2d3h4m5s", 788645],
    ["2147483647", 2147483647],
  ])("%s is %i seconds", (text, seconds) => {
    expect(readDuration(text)).toBe(seconds);
  });

  test.each(["", " 1h", "1h ", "h", "1h30", "1y", "-1", "+1", "1.5h", "1 h", "0x10", "1e3", "١"])(
    "rejects %j",
    (text) => {
      expect(() => readDuration(text)).toThrow("not a time");
    },
  );

  test.each(titled([["2147483648"], ["3551w"], ["9".repeat(400)], [`${"9".repeat(400)}w`]], String))(
    "too long: %s",
    (_, text) => {
      expect(() => readDuration(text)).toThrow("the time is longer than 2147483647 seconds");
    },
  );

  test.each([
    [0, "0"],
    [59, "59"],
    [60, "1m"],
    [90, "90"],
    [3600, "1h"],
    [5400, "90m"],
    [86400, "1d"],
    [604800, "1w"],
    [2147483647, "2147483647"],
  ])("writes %i seconds as %s", (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });

  test.each([
    [0, "0 seconds"],
    [1, "1 second"],
    [3600, "1 hour"],
    [5400, "1 hour 30 minutes"],
    [172800, "2 days"],
    [694861, "1 week 1 day 1 hour 1 minute 1 second"],
  ])("spells out %i seconds as %s", (seconds, text) => {
    expect(durationInWords(seconds)).toBe(text);
  });

  test("writing and reading are inverse", () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 1), (seconds) => {
        expect(readDuration(formatDuration(seconds))).toBe(seconds);
      }),
    );
  });
});

test("writes an IPv6 address as URL does, except with dots for IPv4", () => {
  const words = fc.array(fc.oneof(fc.constant(0), fc.nat(65535)), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(words, (words) => {
      const text = words.map((word) => word.toString(16)).join(":");
      const spelled = readAddress6(text);
      const judge = (address: string) => new URL(`http://[${address}]/`).hostname.slice(1, -1);
      expect(judge(spelled)).toBe(judge(text));
      if (!spelled.includes(".")) expect(spelled).toBe(judge(text));
    }),
  );
});

describe("the mailbox of an SOA record (RFC 1035 §8)", () => {
  test.each([
    ["hostmaster@example.com", "hostmaster.example.com."],
    ["john.doe@example.com", "john\\.doe.example.com."],
    ["a+b@example.com.", "a+b.example.com."],
    ["a;b@example.com", "a\\;b.example.com."],
    ["jörg@example.com", "j\\195\\182rg.example.com."],
  ])("converts %s to %s and back", (email, name) => {
    expect(emailToName(email)).toBe(name);
    expect(nameToEmail(domainName(name))).toBe(email.replace(/\.$/, ""));
  });

  test.each([
    ["hostmaster@example.com", true],
    ["a@b", true],
    [`${"x".repeat(63)}@example.com`, true],
    [`${"x".repeat(64)}@example.com`, false],
    ["hostmaster", false],
    ["@example.com", false],
    ["hostmaster@", false],
    ["a@b@example.com", false],
    ["a b@example.com", false],
    ["a@b..c", false],
    ["a@b.", false],
    ["", false],
  ])("isMailbox(%j) is %j", (email, expected) => {
    expect(isMailbox(email)).toBe(expected);
  });
});

describe("texts", () => {
  test("converts text to bytes and back", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(fromOctets(toOctets(text))).toBe(text);
        expect(isUtf8(toOctets(text))).toBe(true);
      }),
    );
  });

  test.each([
    ["\u00c3\u00a9", true],
    ["\u00c3", false],
    ["\u00ff", false],
    ["\u00c0\u0080", false],
    ["\u00ed\u00a0\u0080", false],
    ["", true],
  ])("isUtf8(%j) is %j", (octets, expected) => {
    expect(isUtf8(octets)).toBe(expected);
  });

  test.each<[number, number[]]>([
    [0, [0]],
    [1, [1]],
    [255, [255]],
    [256, [255, 1]],
    [510, [255, 255]],
    [600, [255, 255, 90]],
  ])("%i bytes make strings of %j", (length, lengths) => {
    expect(splitText("x".repeat(length)).map(({ length }) => length)).toEqual(lengths);
  });
});
