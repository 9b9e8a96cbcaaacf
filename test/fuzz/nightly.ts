import { spawnSync } from "node:child_process";
import { isMissing, type Judge } from "../judges.ts";

type Run = (seed: number) => Promise<boolean>;

/** The long runs, each as large as an hour or so allows. */
const runs: Readonly<Record<string, Run>> = {
  properties: async (seed) => runProperties(seed),
  full: async () => runFull(),
  readers: async (seed) => (await import("./readers.ts")).fuzzReaders(2_000_000, seed),
  yaml: async (seed) => (await import("./plain-yaml.ts")).fuzzPlainYaml(2_000_000, seed),
  apply: async (seed) => (await import("./apply.ts")).fuzzApply(20_000, seed),
  kill: async () => (await import("./kill.ts")).fuzzKill(),
  dark: async (seed) => (await import("./dark.ts")).fuzzDark(5000, seed),
  "change-sets": async (seed) => (await import("./change-sets.ts")).fuzzChangeSets(5000, seed),
  "served-worlds": async (seed) => (await import("./served-worlds.ts")).fuzzServedWorlds(2000, seed),
  "several-targets": async (seed) => runSeveralTargets(seed),
  updates: async (seed) => (await import("./updates.ts")).fuzzUpdates(5000, seed),
  requests: async (seed) => (await import("./requests-run.ts")).fuzzRequests(500_000, seed),
  "requests-postgres": async (seed) => (await import("./requests-run.ts")).fuzzRequestsOnPostgres(200_000, seed),
};

/** The programs that runs need. */
const judges: Readonly<Record<string, Judge>> = {
  "requests-postgres": "postgres",
  "served-worlds": "named",
  "several-targets": "named",
};

export const nightlyRuns: readonly string[] = Object.keys(runs);

/**
 * `npm run fuzz -- nightly [RUN [SEED]]`: every long run, or one. The seed changes every day, so that each night tries
 * other cases; it is printed, and repeats the same cases when given as SEED.
 */
export async function fuzzNightly(only?: string, seed = seedOfDay(new Date())): Promise<boolean> {
  const names = only === undefined ? nightlyRuns : [only];
  const failed: string[] = [];
  for (const name of names) {
    const run = runs[name];
    if (!run) throw new Error(`unknown run "${name}" (known: ${nightlyRuns.join(", ")})`);
    process.stdout.write(`${name}, seed ${seed}\n`);
    const judge = judges[name];
    if (judge && !process.env.CI && isMissing(judge))
      process.stdout.write(`skipped: ${judge} is not installed (npm run judges)\n`);
    else if (!(await run(seed))) failed.push(name);
  }
  for (const name of failed)
    process.stdout.write(`failed: ${name}. To repeat: npm run fuzz -- nightly ${name} ${seed}\n`);
  return failed.length === 0;
}

/** 100,000 seeds for each day, below 2^31. */
function seedOfDay(day: Date): number {
  return (Math.floor(day.getTime() / 86_400_000) % 21_000) * 100_000 + 1;
}

/** The properties among the tests, with fifty times as many cases. */
function runProperties(seed: number): boolean {
  const files = ["planner/properties", "planner/digests", "formats/properties", "formats/rewrite", "formats/exact"];
  return runTests(files, { ZONEWRIGHT_SEED: String(seed), ZONEWRIGHT_TIMES: "50" });
}

/** Zones on two and three targets of every kind, as CI has a hundred of them. */
function runSeveralTargets(seed: number): boolean {
  const settings = { ZONEWRIGHT_SEED: String(seed), ZONEWRIGHT_WORLDS: "1000" };
  return runTests(["workflow/name-servers/worlds"], settings);
}

/** Every test on every store, with all of its cases. */
function runFull(): boolean {
  return runTests([], { ZONEWRIGHT_FULL: "1" });
}

function runTests(files: readonly string[], settings: Readonly<Record<string, string>>): boolean {
  const args = ["vitest", "run", "--testTimeout", "0", ...files.map((file) => `test/${file}.test.ts`)];
  return spawnSync("npx", args, { stdio: "inherit", env: { ...process.env, ...settings } }).status === 0;
}
