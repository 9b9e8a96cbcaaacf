import type { Reporter, TestModule } from "vitest/node";
import { describeJudge, findMissing } from "./judges.ts";
import { isFullRun, seed } from "./properties.ts";
import { allRealZones, realZones } from "./real-zones.ts";
import { type Counts, findSettled, firstRun, type Run, saveRun } from "./second-run.ts";

/**
 * Prints the missing judges, the notes of tests, the seed and one line of counts at the end of a run. The line counts
 * each test once: in a second run, files that it does not repeat count as in the first.
 */
export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const run = countByFile(modules);
    saveRun(run);
    const settled = findSettled(firstRun);
    const counts = add([...Object.values(run), ...settled.flatMap((file) => firstRun[file] ?? [])]);
    const skipped = tests.filter((test) => test.result().state === "skipped");
    const missing = skipped.length > 0 ? findMissing() : [];
    if (missing.length > 0) {
      console.log("Skipped the tests that need these programs, which are not installed:");
      for (const judge of missing) console.log(`  ${describeJudge(judge)}`);
      console.log("Install them with npm run judges (uses apt-get, npm and pip).");
    } else if (skipped.length > 0) {
      console.log("Skipped although every program is installed:");
      for (const test of skipped) {
        const result = test.result();
        const reason = result.state === "skipped" && result.note ? ` (${result.note})` : "";
        console.log(`  ${test.module.relativeModuleId}: ${test.fullName}${reason}`);
      }
    }
    for (const test of tests)
      for (const { message } of test.annotations()) console.log(`${test.module.relativeModuleId}: ${message}`);
    if (!isFullRun) console.log("Long tests ran a sample; with CI=true they run in full.");
    if (realZones.count < allRealZones.count)
      console.log(
        `Tested ${realZones.count} of ${allRealZones.count} real zones; all need CI=true and ../shared/data/real beside the checkout.`,
      );
    console.log(`Property seed: ${seed}`);
    if (settled.length > 0)
      console.log(`Files not repeated, because all their tests passed in the first run: ${settled.length}.`);
    // An error outside of tests belongs to no file.
    console.log(`${counts.passed} passed, ${counts.failed + errors.length} failed, ${counts.skipped} skipped`);
  }
}

function countByFile(modules: readonly TestModule[]): Run {
  const run: Record<string, Counts> = {};
  for (const module of modules) {
    const states = [...module.children.allTests()].map((test) => test.result().state);
    const count = (state: (typeof states)[number]) => states.filter((one) => one === state).length;
    // A file that cannot be loaded has no test.
    const failed = count("failed") + (module.errors().length > 0 ? 1 : 0);
    const counts = { passed: count("passed"), failed, skipped: count("skipped") };
    const file = module.relativeModuleId;
    run[file] = add([run[file] ?? none, counts]); // two projects may run a file
  }
  return run;
}

const none: Counts = { passed: 0, failed: 0, skipped: 0 };

function add(all: readonly Counts[]): Counts {
  const sum = (state: keyof Counts) => all.reduce((total, counts) => total + counts[state], 0);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") };
}
