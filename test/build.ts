import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { TestProject } from "vitest/node";

const root = join(import.meta.dirname, "..");
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");

/** Vitest calls this for each project, and for the whole: one build is enough. */
export default function setup(project: TestProject): void {
  if (project.isRootProject()) build();
}

/** Builds the program that tests run in processes of its own. Types are left to `npm run check`. */
export function build(): void {
  const args = [tsc, "-p", join(root, "tsconfig.build.json"), "--noCheck", "--declaration", "false"];
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) throw new Error("npm run build failed");
}
