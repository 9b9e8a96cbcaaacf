import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { isMissing } from "./test/judges.ts";
import { isFullRun, isNightly } from "./test/properties.ts";
import { findSettledFiles, firstRun } from "./test/second-run.ts";
import { suitesMarked } from "./test/suite-marks.ts";

const namesFiles = process.argv.slice(2).some((word) => word.includes("test/"));

// The suites of the store on the SQLite of the single executable (packaging/binary), on Node 24.
const nodeSqlite = { find: /^.*\/libsql\.ts$/, replacement: join(import.meta.dirname, "packaging/binary/sqlite.ts") };

export default defineConfig({
  resolve: { alias: process.env.ZONEWRIGHT_TEST_SQLITE === "node" ? [nodeSqlite] : [] },
  test: {
    experimental: { fsModuleCache: true },
    testTimeout: 120_000, // a program that starts in a second takes ten on a slow machine beside others
    hookTimeout: 120_000, // a browser or a database starts slowly beside others
    expect: { poll: { timeout: 60_000 } }, // of what comes to pass by itself
    execArgv: ["--max-semi-space-size=64"], // megabytes: the many short-lived objects of tests are collected less often
    chaiConfig: { truncateThreshold: 100 }, // also cuts the values in titles
    // The main process has little to do; by default one core would be left to it. Browsers, databases and other programs
    // of CI often wait.
    maxWorkers: availableParallelism() + (process.env.CI ? 1 : 0),
    reporters: ["default", "./test/summary.ts"],
    globalSetup: ["test/build.ts", "test/temporary-files.ts"],
    setupFiles: "test/properties.ts",
    projects: [
      // Files share a worker's modules: no test changes any, and to load them for each file costs a fifth of the run.
      {
        extends: true,
        test: {
          name: "main",
          include: ["test/**/*.test.ts"],
          exclude: [
            ...suitesMarked("only-postgres"),
            ...(isFullRun || namesFiles ? [] : suitesMarked("long")),
            ...(isNightly || namesFiles ? [] : suitesMarked("nightly")),
            ...findSettledFiles(firstRun),
          ],
          runner: "test/second-runner.ts",
          isolate: false,
        },
      },
      // The suites of the store on the other database, where its programs are (Debian: package postgresql).
      ...(isMissing("postgres")
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: "postgres",
                include: suitesMarked(
                  "postgres",
                  "only-postgres",
                  ...(isNightly ? (["nightly-postgres"] as const) : []),
                ),
                isolate: false,
                globalSetup: "test/server/with-postgres.ts",
              },
            },
          ]),
    ],
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      // The program's entry runs in a process of its own (test/cli/program.test.ts), where coverage does not look.
      exclude: ["src/cli/main.ts"],
      reporter: ["text-summary", "json-summary"],
      reportsDirectory: ".coverage",
      // Every file is reached by a test.
      thresholds: { perFile: true, lines: 1 },
    },
  },
});
