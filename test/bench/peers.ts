import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Case } from "./case.ts";

/** The same work by zonewright and other tools (docs/compare.md). @throws {Error} if a tool fails */
export async function* run(): AsyncGenerator<Case> {
  const config = fileURLToPath(new URL("./peers/vitest.config.ts", import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  try {
    const file = join(folder, "cases");
    writeFileSync(file, "");
    const words = ["vitest", "run", "--config", config, "--reporter", "dot"];
    const env = { ...process.env, BENCH_CASES: file };
    const [code] = await once(spawn("npx", words, { env, stdio: ["ignore", "ignore", "inherit"] }), "close");
    for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean)) yield JSON.parse(line);
    if (code !== 0) throw new Error(`vitest exited with ${code}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
