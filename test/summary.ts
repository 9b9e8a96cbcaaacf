import type { Reporter, TestCase, TestModule } from "vitest/node";
import { describeJudge, findMissing } from "./judges.ts";
import { seed } from "./properties.ts";
import { allRealZones, sampleOfRealZones } from "./real-zones.ts";

/** Prints the missing judges, the seed and one line of counts at the end of a run. */
export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: ReturnType<TestCase["result"]>["state"]) =>
      tests.filter((test) => test.result().state === state).length;
    // A file that cannot be loaded has no test, and an error outside of tests belongs to none.
    const broken = modules.filter((module) => module.errors().length > 0).length + errors.length;
    const allSkipped = tests.filter((test) => test.result().state === "skipped");
    const isOverAllZones = ({ fullName }: TestCase) => allRealZones.isMissing && fullName.includes(allRealZones.name);
    const overAllZones = allSkipped.filter(isOverAllZones);
    const skipped = allSkipped.filter((test) => !isOverAllZones(test));
    const missing = skipped.length > 0 ? findMissing() : [];
    if (missing.length > 0) {
      console.log("Skipped the tests that need these programs, which are not installed:");
      for (const judge of missing) console.log(`  ${describeJudge(judge)}`);
      console.log("Install them with npm run judges (uses apt-get, npm and pip).");
    } else if (skipped.length > 0) {
      console.log("Skipped although every program is installed:");
      for (const { fullName, module } of skipped) console.log(`  ${module.relativeModuleId}: ${fullName}`);
    }
    if (overAllZones.length > 0)
      console.log(
        `Skipped ${overAllZones.length} tests over ${allRealZones.name}: the zones are not beside this checkout. The sample of ${sampleOfRealZones.count} zones was tested.`,
      );
    console.log(`Property seed: ${seed}`);
    console.log(`${count("passed")} passed, ${count("failed") + broken} failed, ${count("skipped")} skipped`);
  }
}
