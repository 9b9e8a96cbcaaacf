import fc from "fast-check";
import { expect, test } from "vitest";
import { problem } from "../../src/diagnostics/problem.ts";
import { problemsText } from "../../src/report/findings/findings.ts";
import { columns, fitLines } from "../../src/report/text/columns.ts";
import { palette } from "../../src/report/text/palette.ts";

const { red, dim } = palette({ color: true, unicode: true });

test("on a terminal, lines break at spaces but not inside commands, and lines of files stay", () => {
  const summary = `the zone ${"example.com ".repeat(8)}is large`;
  const fix =
    "Continue it, but only after having checked the zone, with `zonewright apply --resume --yes`, or undo it.";
  const found = problem("yaml-key", summary, { fix, place: { file: "a.yaml", line: 1, column: 1, length: 3 } });
  const text = fitLines(
    problemsText([found], () => "www".repeat(30), { color: true, unicode: true }),
    80,
  );
  expect(text.replaceAll(/\x1b\[\d+m/g, "").split("\n")).toEqual([
    "error[yaml-key] the zone example.com example.com example.com example.com",
    "    example.com example.com example.com example.com is large",
    "  a.yaml:1:1",
    `    1 | ${"www".repeat(30)}`,
    "      | ^^^",
    "  Continue it, but only after having checked the zone, with",
    "  `zonewright apply --resume --yes`, or undo it.",
    "",
  ]);
});

const long = "a sentence of several words that has no room";

test.each<[what: string, text: string, lines: string[]]>([
  ["a sentence", `note: ${long}`, ["note: a sentence of several", "    words that has no room"]],
  ["an indented one", `  ${long}`, ["  a sentence of several words", "  that has no room"]],
  ["one below a word", `ok    ${long}`, ["ok    a sentence of several", "      words that has no room"]],
  [
    "one below two words",
    `ok    git   ${long}`,
    ["ok    git   a sentence of", "            several words that", "            has no room"],
  ],
  [
    "one with a place",
    "a b c d e f g h i j k l m n  zones/a.yaml:1",
    ["a b c d e f g h i j k l m n", "    zones/a.yaml:1"],
  ],
  [
    "colours take no room",
    `${red("failed")} ${dim("of three words and more")}`,
    [`${red("failed")} ${dim("of three words and more")}`],
  ],
  ["a long word", `see ${"x".repeat(40)} there`, ["see", `    ${"x".repeat(40)}`, "    there"]],
  ["a line of a file", `    1 | ${long}`, [`    1 | ${long}`]],
  [
    "a command to paste",
    "  zonewright import axfr a.example b.example",
    ["  zonewright import axfr \\", "  a.example b.example"],
  ],
  ["a command with a quote", "zonewright runs 'a file with spaces'  ", ["zonewright runs 'a file with", "    spaces'"]],
])("%s", (_, text, lines) => {
  expect(fitLines(text, 30).split("\n")).toEqual(lines);
  expect(fitLines(text, undefined)).toBe(text);
});

test("fitted lines fit, keep their words, and stay when they are fitted again", () => {
  const word = fc.stringMatching(/^[a-z.:`-]{1,12}$/);
  const gap = fc.constantFrom(" ", "  ", "     ");
  const line = fc.array(fc.tuple(word, gap)).map((parts) => parts.flat().join("").trimEnd());
  const text = fc.tuple(fc.constantFrom("", "  ", "      "), line).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(text), fc.integer({ min: 40, max: 120 }), (lines, width) => {
      const fitted = fitLines(lines.join("\n"), width);
      const wide = fitted.split("\n").filter((one) => columns(one) > width);
      // Code in backticks stays together.
      expect(wide.filter((one) => one.trim().includes(" ") && !one.includes("`"))).toEqual([]);
      const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");
      expect(words(fitted)).toEqual(words(lines.join("\n")));
      expect(fitLines(fitted, width)).toBe(fitted);
    }),
  );
});
