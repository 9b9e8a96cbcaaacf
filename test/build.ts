import type { TestProject } from "vitest/node";
import { buildProduct } from "../packaging/program.ts";

/** Vitest calls this for each project, and for the whole: one build of what tests run is enough. */
export default async function setup(project: TestProject): Promise<void> {
  if (project.isRootProject()) await Promise.all([buildProduct("dist/cli"), buildProduct("dist/library")]);
}
