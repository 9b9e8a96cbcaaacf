import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The same work by zonewright and other tools (docs/compare.md). */
export async function run(): Promise<void> {
  const config = fileURLToPath(new URL("./peers/vitest.config.ts", import.meta.url));
  spawnSync("npx", ["vitest", "run", "--config", config], { stdio: "inherit" });
}
