import type { TestProject } from "vitest/node";
import { startCluster } from "./cluster.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of a database that is always there, in the project that tests with PostgreSQL. */
    postgres?: string;
  }
}

/** One PostgreSQL for all test files of the project; each makes its own databases in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster();
  project.provide("postgres", cluster.url("postgres"));
  return cluster.stop;
}
