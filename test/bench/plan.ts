import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const child = fileURLToPath(new URL("./plan-child.ts", import.meta.url));

interface Shape {
  readonly name: string;
  /**
   * The time of octoDNS from file to file, in seconds, as it was measured once. It is measured again if it is
   * installed.
   */
  readonly octodnsSeconds?: number;
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
  { name: "10,000 RRsets, 100 changed", octodnsSeconds: 4.7, zones: 1, lines: () => mixed(10_000) },
  { name: "50,000 RRsets, 500 changed", octodnsSeconds: 28.9, zones: 1, lines: () => mixed(50_000) },
  {
    name: "1,000 zones of 20, each changed",
    zones: 1_000,
    lines: (zone) => ({ current: mixed(20).current, desired: [...mixed(20).current, `new A ${address(zone)}`] }),
  },
  {
    name: "20,000 zones of one, each changed",
    octodnsSeconds: 22.8,
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
export async function run(): Promise<void> {
  for (const shape of shapes) {
    const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
    try {
      write(folder, shape);
      const { stdout, status, stderr } = spawnSync(process.execPath, ["--import", "tsx", child, folder], {
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(stderr);
      const { readMs, planMs, cpuMs, writes, peakBytes } = JSON.parse(stdout);
      const times = `read ${readMs.toFixed(0).padStart(6)} ms   plan ${planMs.toFixed(0).padStart(6)} ms   together ${((readMs + planMs) / 1000).toFixed(2).padStart(6)} s   CPU ${(cpuMs / 1000).toFixed(2).padStart(6)} s`;
      console.log(
        `  ${shape.name.padEnd(38)} ${String(writes).padStart(6)} writes   ${times}   peak ${(peakBytes / 2 ** 20).toFixed(0).padStart(5)} MiB`,
      );
      if (shape.octodnsSeconds !== undefined)
        compare(shape, shape.octodnsSeconds, (readMs + planMs) / 1000, cpuMs / 1000);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

const rival = "octodns-sync";

/** The same zones through octoDNS, YAML files to YAML files, with the ratio to ours. */
function compare(shape: Shape, published: number, wall: number, cpu: number): void {
  const measured = octodns(shape);
  if (measured) {
    const ratios = `${(measured.wall / wall).toFixed(1)} times ours, CPU ${(measured.cpu / cpu).toFixed(1)} times`;
    console.log(`    octoDNS ${measured.wall.toFixed(2)} s   CPU ${measured.cpu.toFixed(2)} s   ${ratios}`);
  } else console.log(`    octoDNS not measured (octodns-sync is not on PATH); earlier measurement: ${published} s`);
}

function octodns(shape: Shape): { wall: number; cpu: number } | undefined {
  if (spawnSync(rival, ["--version"]).error !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "zonewright-octodns-"));
  try {
    for (const side of ["current", "desired"]) mkdirSync(join(folder, side));
    const names = numbers(shape.zones).map((zone) => `z${zone}.example`);
    for (const [zone, name] of names.entries()) {
      const sides = shape.lines(zone);
      for (const side of ["current", "desired"] as const)
        writeFileSync(join(folder, side, `${name}.yaml`), JSON.stringify(octodnsZone(sides[side])));
    }
    const provider = (side: string) => ({
      class: "octodns.provider.yaml.YamlProvider",
      directory: join(folder, side),
      default_ttl: 3600,
      enforce_order: false,
    });
    const config = {
      providers: { current: provider("current"), desired: provider("desired") },
      zones: Object.fromEntries(names.map((name) => [`${name}.`, { sources: ["desired"], targets: ["current"] }])),
    };
    const file = join(folder, "config.yaml");
    writeFileSync(file, JSON.stringify(config));
    const begin = performance.now();
    const times = join(folder, "times");
    const script = `${rival} --quiet --config-file "$1" >/dev/null 2>"$2.log" || { tail -5 "$2.log" >&2; exit 1; }; times >"$2"`;
    const { status, stderr } = spawnSync("bash", ["-c", script, "bash", file, times], { encoding: "utf8" });
    if (status !== 0) throw new Error(`octodns-sync: ${stderr}`);
    return { wall: (performance.now() - begin) / 1000, cpu: seconds(readFileSync(times, "utf8")) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The second line of what the shell says of times: user and system of its children, `0m1.234s`. */
function seconds(times: string): number {
  const parts = times.split("\n")[1]?.split(" ") ?? [];
  return parts.reduce((sum, part) => {
    const [, minutes, rest] = /^(\d+)m([\d.]+)s$/.exec(part) ?? [];
    return sum + Number(minutes ?? 0) * 60 + Number(rest ?? 0);
  }, 0);
}

/** The lines of a zone as octoDNS has them. */
function octodnsZone(lines: readonly string[]): Record<string, object[]> {
  const zone: Record<string, object[]> = {};
  for (const line of lines) {
    const [, owner = "", ttl, type = "", rdata = ""] = /^(\S+) (?:(\d+) )?([A-Z]+) (.*)$/.exec(line) ?? [];
    const name = owner === "@" ? "" : owner;
    const [first = "", second = "", third = "", fourth = ""] = rdata.split(" ");
    const absolute = (target: string) => `${target}.elsewhere.example.`;
    const values: Record<string, unknown> = {
      A: rdata,
      TXT: rdata.slice(1, -1).replaceAll(";", "\\;"),
      CNAME: absolute(first),
      MX: { preference: Number(first), exchange: absolute(second) },
      SRV: { priority: Number(first), weight: Number(second), port: Number(third), target: absolute(fourth) },
    };
    zone[name] = [...(zone[name] ?? []), { type, ttl: Number(ttl ?? 3600), value: values[type] }];
  }
  return zone;
}

function write(folder: string, { zones, lines }: Shape): void {
  for (const side of ["current", "desired"]) mkdirSync(join(folder, side));
  for (const zone of numbers(zones)) {
    const sides = lines(zone);
    for (const side of ["current", "desired"] as const)
      writeFileSync(join(folder, side, `z${zone}.example.zone`), `$TTL 3600\n${sides[side].join("\n")}\n`);
  }
}
