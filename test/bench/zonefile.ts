import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Case, count, ms, ratio } from "./case.ts";
import { mixedZone } from "./mixed-zone.ts";

const read = "zonewright read";
const readers = ["zonewright scan", read, "zonewright index", "zonewright records", "dnsz", "dns-zonefile"];
const programs: Record<string, string[]> = {
  "named-checkzone": ["named-checkzone", "-q", "-i", "none", "example.com"],
  "ldns-read-zone": ["ldns-read-zone", "-0"],
};
/** From here on Node itself no longer counts: in memory, and in what its compiler still has to learn. */
const large = 1_000_000;
/** Megabytes a second and the peak of memory as a multiple of the file, for large ones. */
const aims: Readonly<Record<string, { speed: number; peak: number }>> = {
  [read]: { speed: 160, peak: 5 },
  "zonewright index": { speed: 110, peak: 5 },
};
const child = fileURLToPath(new URL("./zonefile-child.ts", import.meta.url));
const slowest = 120_000;
/** Milliseconds that the reads of one process may take together, if they were all as slow as the first. */
const budget = 2000;

/**
 * Reading master files of mixed records: milliseconds, megabytes a second, time as a multiple of `zonewright read`, and
 * for large ones whether the speed stays that of the size before. `zonewright records` also makes the object and the
 * RDATA of each record, as programs that look at all of them do. Each reader has three processes that read once cold,
 * then several times, more often for small files; the best time counts. Times of single processes differ by a quarter,
 * because the compiler of JavaScript does not decide the same in each. One more process reads once; its peak of memory
 * counts, without what Node and the modules take, as a multiple of the file. A reader that takes over ten seconds reads
 * once. `BENCH_SIZES` are other numbers of records: 1000000,5000000 (decisions/performance#zone-files).
 */
export function* run(): Generator<Case> {
  const sizes = (process.env.BENCH_SIZES ?? "1000,10000,100000,1000000").split(",").map(Number);
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  const bare = readInChild("nothing", "", 1)?.peakBytes ?? 0;
  const before = new Map<string, number>();
  try {
    for (const size of sizes) {
      const file = join(folder, `${size}.zone`);
      const text = mixedZone(size);
      writeFileSync(file, text);
      const group = `${size} records, ${(text.length / 1e6).toFixed(1)} MB`;
      const results = [
        ...readers.map((name) => [name, measured(name, file, bare)] as const),
        ...Object.entries(programs).map(([name, call]) => [name, runProgram(call, file)] as const),
      ];
      const ours = results.find(([name]) => name === read)?.[1]?.ms ?? 0;
      for (const [name, result] of results) {
        if (!result) {
          yield { group, name, note: "not measured: not installed, or it gave up" };
          continue;
        }
        const speed = text.length / 1e3 / result.ms;
        const peak = size < large || result.peakBytes === undefined ? undefined : result.peakBytes;
        const [aim, smaller] = [aims[name], size < large ? undefined : before.get(name)];
        yield {
          group,
          name,
          numbers: { time: ms(result.ms), speed: count(speed, "MB/s") },
          ratios: {
            ...(name !== read && { [`${read}'s time`]: ratio(ours, result.ms, { to: name, better: "lower" }) }),
            ...(peak && {
              peak: ratio(peak, text.length, { to: "file", better: "lower", ...(aim && { aim: aim.peak }) }),
            }),
            ...(smaller && { speed: ratio(speed, smaller, { to: "the size before", better: "higher" }) }),
          },
          ...(aim && size >= large && { note: `aim ${aim.speed} MB/s` }),
        };
        before.set(name, speed);
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

function measured(name: string, file: string, bare: number): Result | undefined {
  const once = readInChild(name, file, 1);
  if (!once) return undefined;
  const [first = 0] = once.ms;
  const peakBytes = once.peakBytes - bare;
  if (first > 5 * budget) return { ms: first, peakBytes }; // seconds: a repetition would tell nothing more
  const reads = Math.min(Math.max(Math.round(budget / first), 3), 30);
  const timed = Array.from({ length: 3 }, () => readInChild(name, file, 1 + reads)?.ms.slice(1) ?? []);
  return { ms: Math.min(...timed.flat()), peakBytes };
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
