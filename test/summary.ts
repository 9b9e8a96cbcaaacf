import type { Reporter, TestCase, TestModule } from "vitest/node";
import { describeJudge, findMissing } from "./judges.ts";
import { isFullRun, isNightly, seed } from "./properties.ts";
import { allRealZones, realZones } from "./real-zones.ts";
import {
  type Counts,
  findSettledFiles,
  findSettledTests,
  firstRun,
  type Results,
  type Run,
  saveRun,
} from "./second-run.ts";

/**
 * Prints the missing judges, the notes of tests, the seed and one line of counts at the end of a run. The line counts
 * each test once: in a second run, files that it does not repeat count as in the first.
 */
export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const run = countByFile(modules);
    saveRun(run);
    const files = findSettledFiles(firstRun);
    const counts = add([...Object.values(run), ...files.flatMap((file) => firstRun[file] ?? [])]);
    const notRepeated = new Set(modules.flatMap(findNotRepeated));
    const skipped = tests.filter((test) => test.result().state === "skipped" && !notRepeated.has(test));
    const missing = skipped.length > 0 ? findMissing() : [];
    if (missing.length > 0) {
      console.log("Skipped the tests that need these programs, which are not installed:");
      for (const judge of missing) console.log(`  ${describeJudge(judge)}`);
      console.log("Install them with npm run judges (uses apt-get, npm and pip).");
    } else if (skipped.length > 0) {
      console.log("Skipped although every program is installed:");
      for (const [reason, count] of countReasons(skipped)) console.log(`  ${count} × ${reason}`);
    }
    for (const test of tests)
      for (const { message } of test.annotations()) console.log(`${test.module.relativeModuleId}: ${message}`);
    if (!isFullRun) console.log("Suites that start many programs run with CI set, or if a call names them.");
    if (!isNightly) console.log("Long tests ran a sample; `npm run fuzz -- nightly` runs them in full.");
    if (allRealZones.isMissing)
      console.log(
        `Tested ${realZones.count} of ${allRealZones.count} real zones; ../shared/data/real is not beside the checkout.`,
      );
    console.log(`Property seed: ${seed}`);
    if (files.length + notRepeated.size > 0)
      console.log(
        `Not repeated, because they passed in the first run: ${files.length} files and ${notRepeated.size} tests of others.`,
      );
    // Repeated here, because services of CI show the end of long outputs.
    for (const test of tests) {
      const { state, errors } = test.result();
      if (state !== "failed") continue;
      const [reason = ""] = (errors[0]?.message ?? "").split("\n");
      console.log(`Failed: ${test.module.relativeModuleId}: ${test.fullName}\n  ${reason.slice(0, 300)}`);
    }
    // An error outside of tests belongs to no file.
    console.log(`${counts.passed} passed, ${counts.failed + errors.length} failed, ${counts.skipped} skipped`);
  }
}

/** Counts skipped tests by file and reason. */
function countReasons(skipped: readonly TestCase[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const test of skipped) {
    const result = test.result();
    const note = result.state === "skipped" && result.note ? ` (${result.note})` : "";
    const reason = `${test.module.relativeModuleId}${note}`;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return counts;
}

function countByFile(modules: readonly TestModule[]): Run {
  const run: Record<string, Results> = {};
  for (const module of modules) {
    const tests = [...module.children.allTests()];
    const settled = new Set(findNotRepeated(module));
    const named = (state: string) =>
      tests.filter((test) => test.result().state === state && !settled.has(test)).map((test) => test.fullName);
    const [passed, failed, skipped] = [named("passed"), named("failed"), named("skipped")];
    const counts = {
      passed: passed.length + settled.size,
      failed: failed.length + (module.errors().length > 0 ? 1 : 0), // a file that cannot be loaded has no test
      skipped: skipped.length,
    };
    const others = new Set([...failed, ...skipped]); // two tests may have the same name
    const file = module.relativeModuleId;
    const names = passed.filter((name) => !others.has(name));
    run[file] = { ...add([run[file] ?? none, counts]), names }; // two projects may run a file
  }
  return run;
}

/** The tests of a module that are not repeated, because the first run settled them. PostgreSQL repeats whole files. */
function findNotRepeated(module: TestModule): TestCase[] {
  if (module.project.name !== "main") return [];
  const settled = findSettledTests(firstRun, module.relativeModuleId);
  const hasRun = (test: TestCase) => ["passed", "failed"].includes(test.result().state);
  return [...module.children.allTests()].filter((test) => settled.has(test.fullName) && !hasRun(test));
}

const none: Counts = { passed: 0, failed: 0, skipped: 0 };

function add(all: readonly Counts[]): Counts {
  const sum = (state: keyof Counts) => all.reduce((total, counts) => total + counts[state], 0);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") };
}
