import { defineConfig } from "vitest/config";
import { isMissing } from "./test/judges.ts";
import { findSettledFiles, firstRun } from "./test/second-run.ts";

/** The suites of what a store promises, which PostgreSQL repeats; the rest of the server does not know which store it has. */
const ofStores = [
  ..."account cancel concurrent creates domains events filter-budget fuzz import interrupted jobs kill kill-actions list-of lists migrations notifications oauth oauth-attacks oauth-clients oauth-transactions operations postgres profile records sign-in store tags"
    .split(" ")
    .concat("zone-file", "zone-lines", process.env.ZONEWRIGHT_FULL ? "sentences" : [])
    .map((name) => `test/server/${name}.test.ts`),
  "test/server/nameserver/{rows,serial,slaves,two-servers}.test.ts",
];
const onlyForPostgres = ["test/server/postgres.test.ts"];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    chaiConfig: { truncateThreshold: 100 }, // also cuts the values in titles
    maxWorkers: "100%", // the main process has little to do; by default one core would be left to it
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
          exclude: [...onlyForPostgres, ...findSettledFiles(firstRun)],
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
                include: ofStores,
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
