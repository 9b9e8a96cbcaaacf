import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mixedZone } from "./mixed-zone.ts";

const readers = ["zonewright scan", "zonewright read", "zonewright index", "dnsz", "dns-zonefile"];
const programs: Record<string, string[]> = {
  "named-checkzone": ["named-checkzone", "-q", "-i", "none", "example.com"],
  "ldns-read-zone": ["ldns-read-zone", "-0"],
};
const child = fileURLToPath(new URL("./zonefile-child.ts", import.meta.url));
const slowest = 120_000;

/**
 * Reading master files of mixed records: milliseconds, megabytes a second, ratio to `zonewright read`, peak memory as a
 * multiple of the file. Each reader has a process of its own and reads once cold, then three times; the best counts.
 */
export async function run(): Promise<void> {
  const sizes = (process.env.BENCH_SIZES ?? "1000,10000,100000,1000000").split(",").map(Number);
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  try {
    for (const size of sizes) {
      const file = join(folder, `${size}.zone`);
      const text = mixedZone(size);
      writeFileSync(file, text);
      console.log(`  ${size} records, ${(text.length / 1e6).toFixed(1)} MB`);
      const results = [
        ...readers.map((name) => [name, readInChild(name, file)] as const),
        ...Object.entries(programs).map(([name, call]) => [name, runProgram(call, file)] as const),
      ];
      const ours = results.find(([name]) => name === "zonewright read")?.[1]?.ms ?? 0;
      for (const [name, result] of results) console.log(`    ${name.padEnd(17)} ${line(result, text.length, ours)}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Result {
  readonly ms: number;
  readonly peakBytes?: number;
}

function line(result: Result | undefined, bytes: number, ours: number): string {
  if (!result) return "not here, or gave up";
  const memory = result.peakBytes === undefined ? "" : `   peak ${(result.peakBytes / bytes).toFixed(1)} × file`;
  const speed = bytes / 1e3 / result.ms;
  return `${result.ms.toFixed(1).padStart(9)} ms ${speed.toFixed(1).padStart(7)} MB/s   ${(result.ms / ours).toFixed(2).padStart(6)} ×${memory}`;
}

function readInChild(name: string, file: string): Result | undefined {
  const { stdout, status } = spawnSync(process.execPath, ["--import", "tsx", child, name, file], {
    encoding: "utf8",
    timeout: slowest,
  });
  return status === 0 ? (JSON.parse(stdout) as Result) : undefined;
}

/** A program starts and reads in one: its start is part of the time. */
function runProgram([program = "", ...args]: string[], file: string): Result | undefined {
  try {
    const begin = performance.now();
    execFileSync(program, [...args, file], { stdio: "ignore", timeout: slowest });
    return { ms: performance.now() - begin };
  } catch {
    return undefined;
  }
}
