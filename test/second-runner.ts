import { relative } from "node:path";
import { type RunnerTask, type RunnerTestFile, TestRunner } from "vitest";
import { findSettledTests, firstRun } from "./second-run.ts";

/** In the second run of `.ci/run`, skips the tests of a file that it would only repeat. */
export default class SecondRunner extends TestRunner {
  onCollected(files: RunnerTestFile[] = []): void {
    for (const file of files) {
      const settled = findSettledTests(firstRun, relative(this.config.root, file.filepath));
      if (settled.size > 0) skipSettled(file.tasks, settled);
      if (file.tasks.every(isSkipped)) file.mode = "skip";
    }
  }
}

/** Skips tests, and the suites that have no others, so that their hooks do not run. */
function skipSettled(tasks: readonly RunnerTask[], settled: ReadonlySet<string>, parent = ""): void {
  for (const task of tasks) {
    const name = parent + task.name;
    if (task.type === "suite") skipSettled(task.tasks, settled, `${name} > `);
    if (task.type === "suite" ? task.tasks.every(isSkipped) : settled.has(name)) task.mode = "skip";
  }
}

function isSkipped({ mode }: RunnerTask): boolean {
  return mode === "skip" || mode === "todo";
}
