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
/** From here on Node itself no longer counts: in memory, and in what its compiler still has to learn. */
const large = 1_000_000;
/** Megabytes a second and the peak of memory as a multiple of the file, for large ones. */
const aims: Readonly<Record<string, { speed: number; peak: number }>> = {
  "zonewright read": { speed: 80, peak: 10 },
  "zonewright index": { speed: 40, peak: 10 },
};
const child = fileURLToPath(new URL("./zonefile-child.ts", import.meta.url));
const slowest = 120_000;
/** Milliseconds that the reads of one process may take together, if they were all as slow as the first. */
const budget = 2000;

/**
 * Reading master files of mixed records: milliseconds, megabytes a second, time as a multiple of `zonewright read`, and
 * for large ones whether the speed stays that of the size before. Each reader has three processes that read once cold,
 * then several times, more often for small files; the best time counts. Times of single processes differ by a quarter,
 * because the compiler of JavaScript does not decide the same in each. One more process reads once; its peak of memory
 * counts, without what Node and the modules take, as a multiple of the file. `BENCH_SIZES` are other numbers of
 * records: 1000000,5000000.
 */
export async function run(): Promise<void> {
  const sizes = (process.env.BENCH_SIZES ?? "1000,10000,100000,1000000").split(",").map(Number);
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  const bare = readInChild("nothing", "", 1)?.peakBytes ?? 0;
  const before = new Map<string, number>();
  try {
    for (const size of sizes) {
      const file = join(folder, `${size}.zone`);
      const text = mixedZone(size);
      writeFileSync(file, text);
      console.log(`  ${size} records, ${(text.length / 1e6).toFixed(1)} MB`);
      const results = [
        ...readers.map((name) => [name, measured(name, file, bare)] as const),
        ...Object.entries(programs).map(([name, call]) => [name, runProgram(call, file)] as const),
      ];
      const ours = results.find(([name]) => name === "zonewright read")?.[1]?.ms ?? 0;
      for (const [name, result] of results) {
        const speed = result && text.length / 1e3 / result.ms;
        const where = size < large ? "" : standing(name, speed, before);
        console.log(`    ${name.padEnd(17)} ${line(result, text.length, ours)}${where}`);
        if (speed !== undefined) before.set(name, speed);
      }
      rmSync(file);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Result {
  readonly ms: number;
  /** Above what a process takes that reads nothing. */
  readonly peakBytes?: number;
}

function line(result: Result | undefined, bytes: number, ours: number): string {
  if (!result) return "not here, or gave up";
  const speed = bytes / 1e3 / result.ms;
  const memory =
    result.peakBytes === undefined || bytes < large
      ? ""
      : `   peak ${(result.peakBytes / bytes).toFixed(1).padStart(4)} × file`;
  return `${result.ms.toFixed(1).padStart(9)} ms ${speed.toFixed(1).padStart(7)} MB/s   ${(result.ms / ours).toFixed(2).padStart(6)} ×${memory}`;
}

/** The result of one of our readers, compared with its goal, and with the smaller size to show whether it is linear. */
function standing(name: string, speed: number | undefined, before: ReadonlyMap<string, number>): string {
  const aim = aims[name];
  if (!aim || speed === undefined) return "";
  const smaller = before.get(name);
  const linear = smaller === undefined ? "" : `, ${(speed / smaller).toFixed(2)} × the speed of the size before`;
  return `   aim ${aim.speed} MB/s and ${aim.peak} × file${linear}`;
}

function measured(name: string, file: string, bare: number): Result | undefined {
  const once = readInChild(name, file, 1);
  if (!once) return undefined;
  const reads = Math.min(Math.max(Math.round(budget / (once.ms[0] ?? budget)), 3), 30);
  const timed = Array.from({ length: 3 }, () => readInChild(name, file, 1 + reads)?.ms.slice(1) ?? []);
  return { ms: Math.min(...timed.flat()), peakBytes: once.peakBytes - bare };
}

function readInChild(name: string, file: string, times: number): { ms: number[]; peakBytes: number } | undefined {
  const { stdout, status } = spawnSync(process.execPath, ["--import", "tsx", child, name, file, String(times)], {
    encoding: "utf8",
    timeout: slowest,
  });
  return status === 0 ? JSON.parse(stdout) : undefined;
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
