import { expect, test } from "vitest";
import { findYamlExcess } from "../../src/diagnostics/yaml-excess.ts";

const tooDeep = "the YAML is nested more than 100 levels deep";
const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const indented = (levels: number, key: string) =>
  Array.from({ length: levels }, (_, level) => `${" ".repeat(level)}${key}\n`).join("");

test.each<[string, string, string | undefined]>([
  ["lists in brackets", `a: ${nested(100)}`, undefined],
  ["too many of them", `a: ${nested(101)}`, tooDeep],
  ["maps in braces", `a: ${"{a: ".repeat(101)}${"}".repeat(101)}`, tooDeep],
  ["over several lines", `a:\n${"  [\n".repeat(101)}`, tooDeep],
  ["brackets that end in text", `${"x: a ]\n".repeat(300)}a: ${nested(101)}`, tooDeep],
  ["brackets that end in quotes", `a: [${'"]",['.repeat(101)}`, tooDeep],
  ["brackets that end in comments", `a: ${"[ #]\n".repeat(101)}`, tooDeep],
  ["brackets in quotes", `a: "${nested(200)}"`, undefined],
  ["brackets in comments", `a: 1 # ${nested(200)}`, undefined],
  ["many lists beside each other", 'a: ["x"]\n'.repeat(300), undefined],
  ["indentation", indented(100, "a:"), undefined],
  ["too much of it", indented(102, "a:"), tooDeep],
  ["dashes on one line", `${"- ".repeat(101)}x`, tooDeep],
  ["dashes on two lines", `${"- ".repeat(60)}\n${" ".repeat(200)}${"- ".repeat(60)}x`, tooDeep],
  ["many items", "- x\n".repeat(300), undefined],
  ["negative numbers", "- -1\n".repeat(300), undefined],
])("%s", (_, text, summary) => {
  expect(findYamlExcess(text)?.summary).toBe(summary);
});
