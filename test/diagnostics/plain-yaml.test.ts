import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compareReadings, yamlTexts } from "../fuzz/plain-yaml.ts";
import { samples } from "../properties.ts";
import { mostRealZones } from "../real-zones.ts";

const root = resolve(import.meta.dirname, "../..");

test.each([
  "a: 1",
  "a: 1\n",
  "a: 1\r\nb: 2\r\n",
  "---\na: 1\n",
  "# head\n\n--- # start\n# more\na: 1\n# end\n",
  "a: 1 \nb:  2  # note\n",
  "a : 1\n'b' : 2\n",
  '"a": 1\n"b": 2\n',
  "a b: c d\n",
  "a: b#c\n",
  "a:b: c:d\n",
  "a: ::1\n",
  "a: -1\nb: --\nc: ?x\n-d: 1\n",
  "a: ~\nb: null\nc: Null\nd: NULL\ne: nUll\n",
  "a: 1\nb: 010\nc: 0x1F\nd: 1e3\ne: .inf\nf: true\ng: no\n1: x\n~: y\nnull: z\n",
  "a: b, c\nb: x]\nc: x {y}\n",
  "a: \"b\"\nb: 'c'\nc: \"\"\nd: ''\ne: 'it''s'\nf: \"x\\\"y\\\\z\\/\"\n",
  "a: \"b: c # d\"\nb: '[x]: # y'\n",
  'a: "~"\nb: \'<<\'\n"<<": 1\n',
  "a: 'x\ty'\n# x\ty\n",
  "a: [b, c]\n",
  "a: [ b , c , ]\n",
  "a: []\nb: {}\nc: [[], {}]\n",
  "a: { b: c, d : e, 'f': g }\n",
  'a: {"b":1,"c":[1,2],"d":{"e":"f"}}\n',
  "a: [::1, -1, b c, 'd, e', \"]\"]\n",
  "a: [b:c, http://d]\n",
  "- a\n- b\n",
  "- - a\n  - b\n- c\n",
  "- a: 1\n  b: 2\n- c: 3\n",
  "-   a: 1\n    b: 2\n",
  "- [a]\n- { b: c }\n",
  "[a]\n",
  "{ a: b } # note\n",
  "- a\n - b\n",
  "a:\n- 1\n- 2\nb: 3\n",
  "a:\n  - 1\n  - 2\nb: 3\n",
  "a:\n  - b:\n    - c\n    d: e\n",
  "a:\n   b: 1\nc:\n b: 1\n",
  "a: # note\n  # note\n\n  b: 1\n",
  "a:\n  b\nc:\n  [d]\ne:\n  'f'\n",
  "a:\n  b: 1\n  # of b\nc: 2\n",
  "a:\n  b: 1\n    # of 1\n\n     # too\n  # of b\n      # too\nc: 2\n",
  "a:\n  - 1\n   # of 1\n  # of a\nb:\n  - c: 1\n # of b\n\n",
  "a:\n  b:\n    c: 1\n   # of b\n\n  # too",
  "a: b\n  c\nd: e\n",
  "a: b  \n\n\n  c\n   - d:'e'\n",
  "- a\n  b\n- c # d\n",
  "a: 1\n---b: 2\n",
  "a:\n  --- : 1\n  ... : 2\n",
  "é: 日本 😀 \u00a0\u0085\n",
])("%j is plain, and read like the library reads it", (text) => {
  expect(compareReadings(text)).toBe(true);
});

test.each([
  ...["", " ", "\n", "# note\n", "---\n", "a", "'a'\n"],
  ...[
    "a:\n",
    "a: # note\nb: 1\n",
    "a:\nb: 1\n",
    "a: { b: }\n",
    "a: { b: , c: 1 }\n",
    "a: { b }\n",
    "a: [b:, c]\n",
    "- \n",
    "-\n  a\n",
  ],
  ...[
    "a: 1\na: 2\n",
    "a: { b: 1, b: 2 }\n",
    '"a": 1\na: 2\n',
    "<<: { a: 1 }\n",
    "a: { <<: b }\n",
    "? a\n: b\n",
    ": a\n",
  ],
  ...[
    "a: &b c\n",
    "a: *b\n",
    "a: !b c\n",
    "&a b: c\n",
    "a: [&b c]\n",
    "a: |\n  b\n",
    "a: >-\n  b\n",
    "a: @b\n",
    "a: `b\n",
    "a: %b\n",
    "%a: b\n",
  ],
  ...[
    "a: ,b\n",
    "a: ]\n",
    "a: }\n",
    "a: - b\n",
    "a: ? b\n",
    "a: : b\n",
    "- a: - b\n",
    "a: b: c\n",
    "a: b:\n",
    "a: 'b': c\n",
    "a: [b]: c\n",
  ],
  ...[
    "a: 'b\n",
    'a: "b\n',
    "a: 'b\n  c'\n",
    'a: "b\n  c"\n',
    'a: "b\\\n  c"\n',
    'a: "\\n"\n',
    'a: "\\u0041"\n',
    'a: "\\q"\n',
    "a: 'b' c\n",
    'a: "b" c\n',
  ],
  ...[
    "a: 'b'#c\n",
    "a: [b]#c\n",
    "a: [b] c\n",
    "a: [b\n",
    "a: [\n  b]\n",
    "a: { b: c\n",
    "a: [b # c\n]\n",
    "a: [#b]\n",
    "a: [b c: d]\n",
  ],
  ...[
    "a: [-]\n",
    "a: [-, b]\n",
    "a: [?, b]\n",
    "a: [,]\n",
    "a: [b,, c]\n",
    "a: [{b}]\n",
    'a: ["b":c]\n',
    "a: ['b' 'c']\n",
    "a: [b}]\n",
  ],
  ...[
    "a: 1\n  b: 2\n",
    "  a: 1\n",
    "a:\n  b: 1\n c: 2\n",
    "a:\n    b: 1\n  c: 2\n",
    "a: 1\n- b\n",
    "- a\nb: 1\n",
    "- a: 1\n b: 2\n",
    "- - a\n  b: 1\n",
  ],
  ...[
    "a: b # c\n  d\n",
    "a: b\n # c\n  d\n",
    "a: b\n  c: d\n",
    "a: 'b'\n  c\n",
    "a: [b]\n  c\n",
    "a:\n  b: 1\n  - c\n",
  ],
  ...[
    "a: 1\n---\nb: 2\n",
    "a: 1\n---\n",
    "a: 1\n...\n",
    "a: 1\n--- b: 2\n",
    "a: 1\n... b: 2\n",
    "---\n---\na: 1\n",
    "---\n--- a: 1\n",
    "...\na: 1\n",
    "--- a: 1\n",
    "--- [a]\n",
  ],
  ...[
    "a:\tb\n",
    "a\t: b\n",
    "a: b\t\n",
    "\ta: b\n",
    "a:\n\tb: c\n",
    "a: [b,\tc]\n",
    "a: b\t# c\n",
    "-\ta\n",
    "a:\t\n  b: c\n",
    "a: 1\n\t\nb: 2\n",
  ],
  ...[
    "a: b\rc\n",
    "a: 1\r\r\n",
    "a: b\r",
    "\ufeffa: 1\n",
    "a: \u0000\n",
    "a: \u001f\n",
    "a: \ud800\n",
    "a: b\u2028- c\n",
  ],
])("%j is left to the library", (text) => {
  expect(compareReadings(text)).toBe(false);
});

test.each([
  ["a key of 900 characters", `${"k".repeat(900)}: 1\n`, true],
  ["a key of 1100 characters", `${"k".repeat(1100)}: 1\n`, false],
  ["20 levels of dashes", `${"- ".repeat(20)}a\n`, true],
  ["40 levels of dashes", `${"- ".repeat(40)}a\n`, false],
  ["20 levels of brackets", `a: ${"[".repeat(20)}${"]".repeat(20)}\n`, true],
  ["40 levels of brackets", `a: ${"[".repeat(40)}${"]".repeat(40)}\n`, false],
  ["40 keys, the last one twice", `${Array.from({ length: 40 }, (_, key) => `k${key}: 1\n`).join("")}k39: 2\n`, false],
  ["40 keys", Array.from({ length: 40 }, (_, key) => `k${key}: 1\n`).join(""), true],
])("%s", (_, text, isPlain) => {
  expect(compareReadings(text)).toBe(isPlain);
});

test("generated and mutated files are read like the library reads them", () => {
  let plain = 0;
  const { numRuns } = samples(4000);
  const property = fc.property(yamlTexts(false), (text) => {
    if (compareReadings(text)) plain++;
  });
  fc.assert(property, { numRuns });
  expect(plain).toBeGreaterThan(numRuns / 4);
});

test.each([
  ["examples", join(root, "examples"), 0.2],
  ["templates", join(root, "templates"), 0.8],
  ["zones", join(root, "zones"), 1],
  ["test/cases", join(root, "test/cases"), 0.2],
  [mostRealZones.name, mostRealZones.octodns, 0.9],
])("the files of %s are read like the library reads them", (_, folder, least) => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /\.ya?ml$/.test(file));
  const plain = files.filter((file) => compareReadings(readFileSync(join(folder, file), "utf8")));
  expect(plain.length / files.length).toBeGreaterThanOrEqual(least);
});
