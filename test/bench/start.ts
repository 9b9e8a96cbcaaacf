import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Case, ms, ratio } from "./case.ts";
import { median } from "./median.ts";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const runs = 10;

/** The start time of the built program, next to node itself: medians of ten, measured alternately. */
export function* run(): Generator<Case> {
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
  const base = times.get("node -e 0") ?? [];
  for (const [name, list] of times)
    yield {
      name,
      numbers: { time: ms(median(list)) },
      ratios: list === base ? {} : { time: ratio(list, base, { to: "node -e 0", better: "lower" }) },
    };
}
