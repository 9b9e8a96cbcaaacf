import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findSettled } from "./second-run.ts";

const passed = { passed: 9, failed: 0, skipped: 0 };

test.each([
  ["every test passed, and CI changes nothing", "server/records", passed, true],
  ["a test was skipped", "server/records", { passed: 8, failed: 0, skipped: 1 }, false],
  ["a test failed", "server/records", { passed: 8, failed: 1, skipped: 0 }, false],
  ["judges only add tests, which none skipped", "cli/verify", passed, true],
  ["the file itself reads CI", "cli/two-applies", passed, false],
  ["it has properties, which take more samples", "dns/name", passed, false],
  ["it has properties without a number of samples", "dns/values", passed, false],
  ["it takes more cases in a full run", "executor/hostile", passed, false],
  ["a module that it imports takes more cases", "targets/memory", passed, false],
  ["it reads more real zones", "formats/exact", passed, false],
])("%s: test/%s.test.ts with %j is settled by the first run: %s", (_, name, counts, isSettled) => {
  const file = `test/${name}.test.ts`;
  expect(findSettled({ [file]: counts })).toEqual(isSettled ? [file] : []);
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
