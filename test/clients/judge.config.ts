import { defineConfig } from "vitest/config";

/** Runs the tests that need a program of another tool, which `npm test` leaves out. */
export default defineConfig({ test: { include: ["test/clients/*.judge.ts"], testTimeout: 120_000 } });
