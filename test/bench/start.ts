import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { median } from "./median.ts";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const runs = 10;

/** The start time of the built program, next to node itself: medians of ten, measured alternately. */
export async function run(): Promise<void> {
  if (!existsSync(program)) throw new Error("build first: npm run build");
  const calls = {
    "node -e 0": ["-e", "0"],
    "zonewright --version": [program, "--version"],
    "zonewright --help": [program, "--help"],
  };
  const times = new Map(Object.keys(calls).map((name) => [name, [] as number[]]));
  for (let round = 0; round < runs; round++) {
    for (const [name, args] of Object.entries(calls)) {
      const begin = performance.now();
      execFileSync(process.execPath, args, { stdio: "ignore" });
      times.get(name)?.push(performance.now() - begin);
    }
  }
  const base = median(times.get("node -e 0") ?? []);
  for (const [name, list] of times) {
    const time = median(list);
    console.log(`  ${name.padEnd(22)} ${time.toFixed(0).padStart(5)} ms   ${(time / base).toFixed(2)} × node -e 0`);
  }
}
