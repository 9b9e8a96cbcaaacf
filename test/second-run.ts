import { readFileSync, writeFileSync } from "node:fs";

/** Numbers of tests. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The results of a test file: its counts, and the full names of the tests that passed. */
export interface Results extends Counts {
  readonly names: readonly string[];
}

/** The results of a run by test file, such as "test/dns/name.test.ts". */
export type Run = Readonly<Record<string, Results>>;

/**
 * The first run, where this is the second: `.ci/run` runs the tests without judges, and again with them and with CI
 * set. `ZONEWRIGHT_SAVE_RUN` and `ZONEWRIGHT_AFTER_RUN` name the file that the first writes and the second reads.
 */
export const firstRun: Run = process.env.ZONEWRIGHT_AFTER_RUN
  ? JSON.parse(readFileSync(process.env.ZONEWRIGHT_AFTER_RUN, "utf8"))
  : {};

export function saveRun(run: Run): void {
  if (process.env.ZONEWRIGHT_SAVE_RUN) writeFileSync(process.env.ZONEWRIGHT_SAVE_RUN, JSON.stringify(run));
}

/** The test files that a second run would only repeat, because every test passed. */
export function findSettledFiles(run: Run): string[] {
  return Object.entries(run)
    .filter(([, { failed, skipped }]) => failed + skipped === 0)
    .map(([file]) => file);
}

/** The full names of the tests of a file that a second run would only repeat, because they passed. */
export function findSettledTests(run: Run, file: string): ReadonlySet<string> {
  return new Set(run[file]?.names);
}
