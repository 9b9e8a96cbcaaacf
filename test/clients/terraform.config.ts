import { defineConfig } from "vitest/config";

/** Runs the test of Terraform's provider, which `npm test` leaves out. */
export default defineConfig({ test: { include: ["test/clients/terraform.judge.ts"], testTimeout: 120_000 } });
