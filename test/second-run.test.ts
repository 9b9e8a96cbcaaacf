import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findSettledFiles, findSettledTests } from "./second-run.ts";

const passed = { passed: 2, failed: 0, skipped: 0, names: ["one", "two"] };
const skipped = { ...passed, passed: 1, skipped: 1, names: ["one"] };

test.each([
  ["every test passed, and CI changes nothing", "server/records", passed, "all"],
  ["a test was skipped", "server/records", skipped, ["one"]],
  ["a test failed", "server/records", { ...skipped, failed: 1, skipped: 0 }, ["one"]],
  ["no test passed", "server/records", { ...skipped, passed: 0, names: [] }, []],
  ["judges only add tests, which none skipped", "cli/verify", passed, "all"],
  ["it has properties, whose samples are the same in CI", "dns/name", passed, "all"],
  ["CI only adds tests, which none skipped", "ci/github", passed, "all"],
  ["CI adds tests, which are skipped", "ci/github", skipped, ["one"]],
  ["it reads more real zones in CI", "formats/real", passed, []],
  ["it reads more real zones in CI, and a test was skipped", "real-data", skipped, []],
  ["it reads more real zones in the nightly run alone", "formats/exact", passed, "all"],
])("%s: of test/%s.test.ts with %j, the first run settles %j", (_, name, results, settled) => {
  const file = `test/${name}.test.ts`;
  const run = { [file]: results };
  expect(findSettledFiles(run)).toEqual(settled === "all" ? [file] : []);
  expect([...findSettledTests(run, file)]).toEqual(settled === "all" ? results.names : settled);
});

test("a missing judge skips whole tests, because only files with skipped tests run again with judges", () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const found = files
    .filter((file) => file.endsWith(".test.ts"))
    .flatMap((file) => [...readFileSync(join(import.meta.dirname, file), "utf8").matchAll(/.*\bisMissing\(.*/g)])
    .map(([line]) => line.trim())
    .filter((line) => !/\b(?:skipIf\((?:\w+ \|\| )?|const isSkipped = )isMissing\(/.test(line));
  expect(found).toEqual([]);
});
