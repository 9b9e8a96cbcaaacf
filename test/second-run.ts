import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Numbers of tests. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The counts of a run by test file, such as "test/dns/name.test.ts". */
export type Run = Readonly<Record<string, Counts>>;

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

/** The test files that a second run would only repeat: every test passed, and none has more cases with CI set. */
export function findSettled(run: Run): string[] {
  return Object.entries(run)
    .filter(([file, { failed, skipped }]) => failed + skipped === 0 && !hasMoreInCi(file))
    .map(([file]) => file);
}

const root = join(import.meta.dirname, "..");
/** `judges.ts` reads CI only if a judge is missing, and then the test is skipped. */
const judges = join(import.meta.dirname, "judges.ts");

/** Whether a test file or a module of the tests that it imports reads CI, as the configuration of fast-check does. */
function hasMoreInCi(file: string): boolean {
  const modules = new Set([join(root, file)]);
  for (const module of modules) {
    const text = readFileSync(module, "utf8");
    if (text.includes("process.env.CI") || text.includes('from "fast-check"')) return true;
    for (const [, path = ""] of text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+\.ts)"/g)) {
      const imported = join(dirname(module), path);
      if (imported.startsWith(import.meta.dirname) && imported !== judges && existsSync(imported))
        modules.add(imported);
    }
  }
  return false;
}
