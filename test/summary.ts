import type { Reporter, TestCase, TestModule } from "vitest/node";
import { describeJudge, findMissing } from "./judges.ts";
import { isFullRun, seed } from "./properties.ts";
import { allRealZones, realZones } from "./real-zones.ts";

/** Prints the missing judges, the notes of tests, the seed and one line of counts at the end of a run. */
export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: ReturnType<TestCase["result"]>["state"]) =>
      tests.filter((test) => test.result().state === state).length;
    // A file that cannot be loaded has no test, and an error outside of tests belongs to none.
    const broken = modules.filter((module) => module.errors().length > 0).length + errors.length;
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
    console.log(`${count("passed")} passed, ${count("failed") + broken} failed, ${count("skipped")} skipped`);
  }
}
