import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
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
