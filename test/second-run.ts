import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

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

/** The test files that a second run would only repeat: every test passed, and none has more cases with CI set. */
export function findSettledFiles(run: Run): string[] {
  return Object.entries(run)
    .filter(([file, { failed, skipped }]) => failed + skipped === 0 && !hasMoreInCi(file))
    .map(([file]) => file);
}

const noTests: ReadonlySet<string> = new Set();

/** The full names of the tests of a file that a second run would only repeat. */
export function findSettledTests(run: Run, file: string): ReadonlySet<string> {
  const names = run[file]?.names;
  return names === undefined || hasMoreInCi(file) ? noTests : new Set(names);
}

const root = join(import.meta.dirname, "..");
/** Modules that read CI: `judges.ts` to skip tests without their judge, `properties.ts` for `isFullRun`. */
const readers = ["judges.ts", "properties.ts"].map((file) => join(import.meta.dirname, file));

/**
 * Whether a test file or a module of the tests that it imports has more cases with CI set. A test that is skipped
 * without CI is none: its first run says that it was skipped.
 */
function hasMoreInCi(file: string): boolean {
  const modules = new Set([join(root, file)]);
  for (const module of modules) {
    const text = readFileSync(module, "utf8");
    if (/\bisFullRun\b|process\.env\.CI\b/.test(text.replaceAll(/^import .*|\bskipIf\(!isFullRun\)/gm, "")))
      return true;
    for (const [, path = ""] of text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+\.ts)"/g)) {
      const imported = join(dirname(module), path);
      if (imported.startsWith(import.meta.dirname) && !readers.includes(imported) && existsSync(imported))
        modules.add(imported);
    }
  }
  return false;
}
