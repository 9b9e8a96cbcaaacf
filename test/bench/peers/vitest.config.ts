import { defineConfig } from "vitest/config";

/** Runs the comparison with other tools, which needs them installed (docs/compare.md). */
export default defineConfig({
  test: {
    include: ["test/bench/peers/peers.judge.ts"],
    globalSetup: "test/build.ts",
    testTimeout: 1_200_000,
    maxWorkers: 1,
    disableConsoleIntercept: true,
  },
});
