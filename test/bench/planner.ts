import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Case, count, mebibytes, ms, ratio } from "./case.ts";
import { address, mixedSets, numbers, type Sides } from "./plan-zones.ts";

const child = fileURLToPath(new URL("./planner-child.ts", import.meta.url));

interface Shape {
  readonly name: string;
  readonly zones: number;
  /** The lines of a zone as it is stored, and as it is desired. */
  lines(zone: number): Sides;
}

const shapes: readonly Shape[] = [
  { name: "10,000 RRsets, 100 changed", zones: 1, lines: () => mixedSets(10_000) },
  { name: "50,000 RRsets, 500 changed", zones: 1, lines: () => mixedSets(50_000) },
  {
    name: "1,000 zones of 20, each changed",
    zones: 1_000,
    lines: (zone) => ({
      current: mixedSets(20).current,
      desired: [...mixedSets(20).current, `new A ${address(zone)}`],
    }),
  },
  {
    name: "20,000 zones of one, each changed",
    zones: 20_000,
    lines: (zone) => ({ current: [`@ A ${address(zone)}`], desired: [`@ A ${address(zone, 11)}`] }),
  },
  {
    name: "12,000 addresses change in one zone",
    zones: 1,
    lines: () => ({
      current: numbers(12_000).map((index) => `host${index} A ${address(index)}`),
      desired: numbers(12_000).map((index) => `host${index} A ${address(index, 11)}`),
    }),
  },
  {
    name: "12,000 aliases change their target",
    zones: 1,
    lines: () => ({
      current: ["old A 192.0.2.1", ...numbers(12_000).map((index) => `host${index} CNAME old`)],
      desired: ["new A 192.0.2.1", ...numbers(12_000).map((index) => `host${index} CNAME new`)],
    }),
  },
  {
    name: "12,000 aliases, each of the next",
    zones: 1,
    lines: () => ({ current: [], desired: numbers(12_000).map((index) => `n${index} CNAME n${index + 1}`) }),
  },
  {
    name: "12,000 values of one set replaced",
    zones: 1,
    lines: () => ({
      current: numbers(12_000).map((index) => `www TXT "old ${index}"`),
      desired: numbers(12_000).map((index) => `www TXT "new ${index}"`),
    }),
  },
];

/**
 * From master files in memory to a plan: reading and accepting both sides, then planning, which includes the check that
 * every plan passes. One process each.
 */
export function* run(): Generator<Case> {
  for (const shape of shapes) {
    const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
    try {
      write(folder, shape);
      const { stdout, status, stderr } = spawnSync(process.execPath, ["--import", "tsx", child, folder], {
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(stderr);
      const { readMs, planMs, cpuMs, writes, peakBytes } = JSON.parse(stdout);
      yield {
        name: shape.name,
        numbers: {
          read: ms(readMs),
          plan: ms(planMs),
          CPU: ms(cpuMs),
          writes: count(writes, "writes"),
          "peak memory": mebibytes(peakBytes),
        },
        ratios: { plan: ratio(planMs, readMs, { to: "reading", better: "lower" }) },
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

function write(folder: string, { zones, lines }: Shape): void {
  for (const side of ["current", "desired"]) mkdirSync(join(folder, side));
  for (const zone of numbers(zones)) {
    const sides = lines(zone);
    for (const side of ["current", "desired"] as const)
      writeFileSync(join(folder, side, `z${zone}.example.zone`), `$TTL 3600\n${sides[side].join("\n")}\n`);
  }
}
