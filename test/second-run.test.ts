import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findSettledFiles, findSettledTests } from "./second-run.ts";
import { marks, readMarks } from "./suite-marks.ts";

const passed = { passed: 2, failed: 0, skipped: 0, names: ["one", "two"] };
const skipped = { ...passed, passed: 1, skipped: 1, names: ["one"] };

test.each([
  ["every test passed", passed, { files: ["test/a.test.ts"], tests: ["one", "two"] }],
  ["a test was skipped", skipped, { files: [], tests: ["one"] }],
  ["a test failed", { ...skipped, failed: 1, skipped: 0 }, { files: [], tests: ["one"] }],
  ["no test passed", { ...skipped, passed: 0, names: [] }, { files: [], tests: [] }],
])("%s: the second run does not repeat %j", (_, results, settled) => {
  const run = { "test/a.test.ts": results };
  expect({ files: findSettledFiles(run), tests: [...findSettledTests(run, "test/a.test.ts")] }).toEqual(settled);
  expect([...findSettledTests(run, "test/b.test.ts")]).toEqual([]);
});

test("CI does not change the cases of a test, because tests that passed without it are not repeated", () => {
  const readers = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .filter((file) => /\bisFullRun\b|process\.env\.CI\b/.test(readFileSync(join(import.meta.dirname, file), "utf8")));
  // The judges throw in place of skipping, the long fuzz is no test, and the summary prints.
  expect(readers.sort()).toEqual(["fuzz/nightly.ts", "judges.ts", "properties.ts", "summary.ts"]);
});

test("a missing judge skips whole tests, because only files with skipped tests run again with judges", () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const found = files
    .filter((file) => file.endsWith(".test.ts"))
    .flatMap((file) => [...readFileSync(join(import.meta.dirname, file), "utf8").matchAll(/.*\bisMissing\(.*/g)])
    .map(([line]) => line.trim())
    .filter((line) => !/\b(?:skipIf\((?:!?\w+ \|\| )?|const isSkipped = )isMissing\(/.test(line));
  expect(found).toEqual([]);
});

test("suites that ask for PostgreSQL are marked, and a mark is a word that vitest.config.ts knows", () => {
  const all = readMarks();
  const asks = [...all.keys()].filter((file) =>
    /\bisPostgres\(\)/.test(readFileSync(join(import.meta.dirname, "..", file), "utf8")),
  );
  expect(asks.length).toBeGreaterThan(3);
  expect(asks.filter((file) => !all.get(file)?.some((mark) => mark.endsWith("postgres")))).toEqual([]);
  expect(all.get("test/server/kill.test.ts")).toEqual(["long", "postgres"]);
  const config = readFileSync(join(import.meta.dirname, "../vitest.config.ts"), "utf8");
  expect(Object.keys(marks).filter((mark) => !config.includes(`"${mark}"`))).toEqual([]);
});
