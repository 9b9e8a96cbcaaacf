import { defineConfig } from "vitest/config";
import { postgresPrograms } from "./test/server/cluster.ts";

/** Tests of the server that ask what only SQLite or a socket can answer. */
const notForPostgres = ["test/server/sqlite.test.ts", "test/server/node.test.ts"];
const onlyForPostgres = ["test/server/postgres.test.ts"];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    projects: [
      { extends: true, test: { name: "main", include: ["test/**/*.test.ts"], exclude: onlyForPostgres } },
      // The same tests of the server on the other database, where its programs are (Debian: package postgresql).
      ...(postgresPrograms === undefined
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: "postgres",
                include: ["test/server/**/*.test.ts"],
                exclude: notForPostgres,
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
