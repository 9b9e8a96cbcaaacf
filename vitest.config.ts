import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { isMissing } from "./test/judges.ts";
import { isFullRun, isNightly } from "./test/properties.ts";
import { findSettledFiles, firstRun } from "./test/second-run.ts";

/** The suites of what a store promises, which PostgreSQL repeats; the rest of the server does not know which store it has. */
const ofStores = [
  ..."billing cancel concurrent creates disk-room domains event-polls events fuzz group-commit-postgres health hostile-bodies import interrupted jobs kill kill-actions kill-invoices kill-jobs kill-transfers lanes list-of long-lists migrations node-histories notifications oauth oauth-transactions operations outages postgres record-counts remembered-tokens store tags transfer-histories transfers zone-changes zone-file"
    .split(" ")
    .concat(
      isNightly
        ? "account records filter-budget lists oauth-attacks oauth-clients profile sentences sign-in transfer-served zone-lines".split(
            " ",
          )
        : [],
    )
    .map((name) => `test/server/${name}.test.ts`),
  "test/server/{mail/delivery,nameserver/reverse-serials}.test.ts",
  ...(isNightly
    ? [
        "test/server/{managed/monitor,resting-addresses,reverse-names}.test.ts",
        "test/server/nameserver/{ixfr-secondaries,served-histories}.test.ts",
      ]
    : []),
  "test/server/nameserver/{clock-jumps,journal,outage,rows,serial,slaves,two-servers}.test.ts",
];
/**
 * Suites that start many programs, play many histories or move megabytes: seconds each, minutes together. CI and the
 * nightly run have them, and a call that names files.
 */
const long = [
  "test/bench/soak.test.ts",
  "test/demo.test.ts",
  "test/real-data.test.ts",
  "test/action/{bundle,commands,comment,drift,permissions}.test.ts",
  "test/ci/{github,trust}.test.ts",
  "test/cli/api/process.test.ts",
  "test/cli/{approved-git,approved-properties,completion,continuation,disk,doctor,drift-open-pr,drift-poll}.test.ts",
  "test/cli/{drift-write,forecast,interrupt,program,serve,serve-health,snapshot-ref,special-files,start,troubles}.test.ts",
  "test/cli/{large-zone,two-applies}.test.ts",
  "test/docs/{compare,operate,proxies}.test.ts",
  "test/executor/{concurrent,gaps,kill}.test.ts",
  "test/formats/bounds.test.ts",
  "test/library/library.test.ts",
  "test/openapi/{generators,lint}.test.ts",
  "test/planner/dark.test.ts",
  "test/server/{kill,kill-jobs,kill-transfers,node-histories,node-states,transfer-served,zone-lines}.test.ts",
  "test/server/nameserver/{ixfr-secondaries,reverse-secondaries,served-histories}.test.ts",
  "test/workflow/drift-{attribution,poll,round-trip}.test.ts",
];
const namesFiles = process.argv.slice(2).some((word) => word.includes("test/"));

const onlyForPostgres = [
  "test/server/{postgres,group-commit-postgres}.test.ts",
  "test/server/nameserver/outage.test.ts",
];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000, // a browser or a database starts slowly beside others
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
          exclude: [...onlyForPostgres, ...(isFullRun || namesFiles ? [] : long), ...findSettledFiles(firstRun)],
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
