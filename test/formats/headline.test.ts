import { expect, test } from "vitest";
import { headline, type ProblemSubject } from "../../src/formats/kit/headline.ts";
import { domainName } from "../names.ts";

test.each<[string, ProblemSubject, string]>([
  ["not a time", {}, "not a time"],
  ["not a time", { owner: domainName("www.example.com.") }, "www: not a time"],
  ["not a time", { owner: domainName("example.com."), type: "A", value: "1x" }, '@ A "1x": not a time'],
  ["not a time", { owner: domainName("b\\195\\188cher.example.com."), value: "1x" }, 'bücher "1x": not a time'],
  ["not a time", { type: "ttl_sec", value: "" }, "ttl_sec: not a time"],
  // A name that is already in the message is not repeated.
  ["MX record has no target", { owner: domainName("www.example.com."), type: "MX" }, "www: MX record has no target"],
  ["FOO is no record type", { value: "FOO" }, "FOO is no record type"],
  ['"FOO" is not a record type', { type: "FOO", value: "FOO" }, '"FOO" is not a record type'],
  ['"a" is not a field of A', { value: "a" }, '"a" is not a field of A'],
  [
    "A data has more parts",
    { owner: domainName("a.example.com."), type: "A", value: "x" },
    'a "x": A data has more parts',
  ],
  ["a label is empty", { owner: domainName("a.example.com."), type: "A", value: "a" }, 'a A "a": a label is empty'],
  // One line, of a bounded length, with one pair of quotes.
  ["not closed", { value: '"a\n   b"' }, '"a b": not closed'],
  ["not closed", { value: "x".repeat(61) }, `"${"x".repeat(60)}…": not closed`],
  ["not closed", { value: `"${"x".repeat(60)}"` }, `"${"x".repeat(59)}…": not closed`],
])("%j about %j", (message, about, expected) => {
  expect(headline(message, domainName("example.com."), about)).toBe(expected);
});
