import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Case, count, mebibytes, ms, ratio } from "./case.ts";

const child = fileURLToPath(new URL("./planner-child.ts", import.meta.url));

interface Shape {
  readonly name: string;
  readonly zones: number;
  /** The lines of a zone as it is stored, and as it is desired. */
  lines(zone: number): { current: string[]; desired: string[] };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const address = (index: number, from = 10) => `${from}.${(index >> 16) % 256}.${(index >> 8) % 256}.${index % 256}`;

/** Sets of addresses, mail, texts, aliases and services, one in a hundred changed. */
function mixed(sets: number): { current: string[]; desired: string[] } {
  const line = (index: number, isChanged: boolean) => {
    const host = `host${index}`;
    switch (index % 5) {
      case 0:
        return `${host} 300 A ${address(index, isChanged ? 11 : 10)}`;
      case 1:
        return `${host} MX ${isChanged ? 20 : 10} host${index - 1}`;
      case 2:
        return `${host} TXT "v=spf1 include:_spf${index}.example.net ${isChanged ? "-" : "~"}all"`;
      case 3:
        return `${host} 3600 CNAME host${isChanged ? (index + 2) % sets : index - 3}`;
      default:
        return `_sip._tcp.${host} SRV 10 60 506${isChanged ? 1 : 0} host${index - 4}`;
    }
  };
  return {
    current: numbers(sets).map((index) => line(index, false)),
    desired: numbers(sets).map((index) => line(index, index % 100 < 5 && index % 500 < 5)),
  };
}

const shapes: readonly Shape[] = [
  { name: "10,000 RRsets, 100 changed", zones: 1, lines: () => mixed(10_000) },
  { name: "50,000 RRsets, 500 changed", zones: 1, lines: () => mixed(50_000) },
  {
    name: "1,000 zones of 20, each changed",
    zones: 1_000,
    lines: (zone) => ({ current: mixed(20).current, desired: [...mixed(20).current, `new A ${address(zone)}`] }),
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
