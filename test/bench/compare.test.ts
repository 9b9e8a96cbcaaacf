import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Case, ms, ratio } from "./case.ts";
import { compareResults } from "./compare.ts";
import { caseLines } from "./print.ts";
import { type Result, readResult } from "./result.ts";

const time = { to: "node:http", better: "lower" } as const;
const rate = { to: "Knot", better: "higher" } as const;

function result(cases: readonly Case[], machine: Partial<Result> = {}): Result {
  const place = { commit: "0", isModified: false, date: "2026-03-04T12:00:00Z", node: "v20", cpu: "x", cores: 2 };
  return { version: 1, memoryBytes: 0, ...place, benches: [{ name: "reads", cases }], ...machine };
}

const one = (measured: Case["ratios"]) => result([{ name: "one", numbers: { time: ms(1) }, ratios: measured ?? {} }]);

const summary = (compared: number, regressions: number, within: number) =>
  `${compared} ratios compared: ${regressions} regressions, ${within} within the threshold. A ratio regresses if it is ` +
  "worse by more than 25 %, or by more than 3 times the spreads of both results, whichever is larger.";

const comparisons: readonly [title: string, before: Result, after: Result, lines: readonly string[]][] = [
  [
    "a time that doubled",
    one({ time: ratio(2, 1, time) }),
    one({ time: ratio(4, 1, time) }),
    [
      "regression  reads / one / time: 2.00 × node:http -> 4.00 × node:http (100 % worse, threshold 25 %)",
      summary(1, 1, 0),
    ],
  ],
  [
    "a rate that doubled, and one that halved",
    one({ first: ratio(2, 1, rate), second: ratio(2, 1, rate) }),
    one({ first: ratio(4, 1, rate), second: ratio(1, 1, rate) }),
    [
      "regression  reads / one / second: 2.00 × Knot -> 1.00 × Knot (100 % worse, threshold 25 %)",
      "improvement  reads / one / first: 2.00 × Knot -> 4.00 × Knot (50 % better, threshold 25 %)",
      summary(2, 1, 0),
    ],
  ],
  ["a fifth", one({ time: ratio(2, 1, time) }), one({ time: ratio(2.4, 1, time) }), [summary(1, 0, 1)]],
  [
    "a half, where the measurements spread by a fifth",
    one({ time: { ...ratio(2, 1, time), spread: 0.1 } }),
    one({ time: { ...ratio(3, 1, time), spread: 0.1 } }),
    [summary(1, 0, 1)],
  ],
  [
    "a ratio whose divisor was zero",
    one({ time: ratio(2, 1, time) }),
    one({ time: ratio(2, 0, time) }),
    ["not measured  reads / one / time: only the old result has it", summary(0, 0, 0)],
  ],
  [
    "another processor, and a ratio that only the old result has",
    result([{ name: "one", ratios: { time: ratio(2, 1, time) } }], { cpu: "y" }),
    result([{ name: "two", ratios: { time: ratio(2, 1, time) } }]),
    [
      "note  the results differ in cpu: y, then x",
      "not measured  reads / one / time: only the old result has it",
      summary(0, 0, 0),
    ],
  ],
  [
    "ratios that no number tells",
    one({ zero: ratio(0, 1, time), time: ratio(2, 1, time) }),
    JSON.parse(JSON.stringify(one({ zero: ratio(1, 1, time), time: ratio(0, 0, time) }))),
    ["not measured  reads / one / time: only the old result has it", summary(0, 0, 0)],
  ],
];

test.each(comparisons)("comparison: %s", (_, before, after, lines) => {
  expect(compareResults(before, after).lines).toEqual(lines);
});

test.each<[title: string, text: string | undefined, answer: unknown]>([
  ["a result", JSON.stringify(one({ time: ratio(2, 1, time) })), one({ time: ratio(2, 1, time) })],
  ["a file that is missing", undefined, "FILE cannot be read: ENOENT: no such file or directory, open 'FILE'"],
  ["an empty file", "", "FILE is not a result that npm run bench -- NAME... --json wrote."],
  ["JSON of another program", "[]", "FILE is not a result that npm run bench -- NAME... --json wrote."],
  [
    "a case without a name",
    JSON.stringify({ ...one({}), benches: [{ name: "reads", cases: [{}] }] }),
    "FILE is not a result that npm run bench -- NAME... --json wrote.",
  ],
])("file to compare: %s", (_, text, answer) => {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "result.json");
  if (text !== undefined) writeFileSync(file, text);
  let read: unknown;
  try {
    read = readResult(file);
  } catch (error) {
    read = String((error as Error).message).replaceAll(file, "FILE");
  }
  expect(read).toEqual(answer);
});

test("the ratio of measurements in turns is the median of the turns, with a spread", () => {
  expect(ratio([2, 30, 8, 4], [1, 10, 2, 2], time)).toEqual({ value: 2.5, ...time, spread: 0.125 });
  expect(ratio([2, 4], 2, time)).toEqual({ value: 1.5, ...time });
});

test("a case as people read it", () => {
  const measured: Case = {
    group: "SQLite",
    name: "record read",
    numbers: { time: ms(1.234), p99: ms(12_345), rate: { value: 87.65, unit: "/s" } },
    ratios: { time: { ...ratio(0.6, 1, { ...time, aim: 0.5 }), spread: 0.031 } },
    note: "with a note",
  };
  const line =
    "    record read                                time 1.23 ms            p99 12,345 ms           rate 87.7/s             time 0.60 × node:http ± 3 %, aim 0.5 ×  with a note";
  expect(caseLines(measured)).toEqual(["  SQLite", line]);
  expect(caseLines(measured, "SQLite")).toEqual([line]);
});
