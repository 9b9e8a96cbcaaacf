import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { stringify } from "yaml";
import { apiName, toApi } from "../../src/targets/api/mapping.ts";
import { programWords } from "../cli/process.ts";
import { readBind, writeYaml } from "../formats/api.ts";
import { programFolders } from "../judges.ts";
import { domainName } from "../names.ts";
import { type Case, mebibytes, ratio, seconds } from "./case.ts";
import { median } from "./median.ts";
import { address, mixedSets, numbers, type Sides } from "./plan-zones.ts";
import { measureProcess, type ProcessCost } from "./process-cost.ts";

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
/** The shapes to measure: those whose names contain the text. */
const only = process.env.BENCH_ROW ?? "";

interface Shape {
  readonly name: string;
  readonly zones: number;
  /** The number of RRsets that differ. */
  readonly changes: number;
  /** The lines of a zone as it is stored, and as it is desired. */
  lines(zone: number): Sides;
}

const shapes: readonly Shape[] = [
  { name: "10,000 RRsets in one zone, 100 changed", zones: 1, changes: 100, lines: () => mixedSets(10_000) },
  {
    name: "1,000 zones of 10 RRsets, one of each changed",
    zones: 1_000,
    changes: 1_000,
    lines: (zone) => {
      const [first, ...rest] = mixedSets(10).current;
      return { current: [first ?? "", ...rest], desired: [`host0 300 A ${address(zone, 11)}`, ...rest] };
    },
  },
  {
    name: "20,000 zones of one RRset, each changed",
    zones: 20_000,
    changes: 20_000,
    lines: (zone) => ({ current: [`@ 300 A ${address(zone)}`], desired: [`@ 300 A ${address(zone, 11)}`] }),
  },
];

interface Tool {
  readonly name: string;
  /** Writes the files of both sides, and returns the command that prints the plan. */
  prepare(folder: string, shape: Shape): readonly string[];
  /** The number of changes that it printed. */
  readonly counted: RegExp;
}

const zoneName = (zone: number) => `z${zone}.example`;

const tools: readonly Tool[] = [
  {
    name: "zonewright",
    counted: /^plan: (\d+) changes? in /m,
    prepare(folder, shape) {
      mkdirSync(join(folder, "zones"));
      const domains = numbers(shape.zones).map((zone) => {
        const sides = shape.lines(zone);
        const file = join(folder, "zones", `${zoneName(zone)}.yaml`);
        writeFileSync(file, `soa_email: ops@example.net\n${writeYaml(readZone(zone, sides.desired))}`);
        return storedDomain(zone, sides.current);
      });
      const target = { api: "https://api.example.net", account: null };
      const snapshot = { format: "zonewright.snapshot/1", time: "2026-03-04T12:00:00Z", target, domains, freed: [] };
      writeFileSync(join(folder, "snapshot.json"), JSON.stringify(snapshot));
      return [...programWords, "plan", "--against", "snapshot.json"];
    },
  },
  {
    name: "octoDNS",
    counted: /Updates=(\d+)/,
    prepare(folder, shape) {
      for (const side of ["current", "desired"] as const) {
        mkdirSync(join(folder, side));
        for (const zone of numbers(shape.zones))
          writeFileSync(join(folder, side, `${zoneName(zone)}.yaml`), octodnsText(zone, shape.lines(zone)[side]));
      }
      const provider = (directory: string) => ({
        ...{ class: "octodns.provider.yaml.YamlProvider", directory, default_ttl: 3600, enforce_order: false },
      });
      const zones = numbers(shape.zones).map((zone) => [
        `${zoneName(zone)}.`,
        { sources: ["desired"], targets: ["current"] },
      ]);
      const config = {
        manager: { plan_outputs: { text: { class: "octodns.provider.plan.PlanMarkdown" } } },
        providers: { current: provider("current"), desired: provider("desired") },
        zones: Object.fromEntries(zones),
      };
      writeFileSync(join(folder, "config.yaml"), stringify(config));
      return ["octodns-sync", "--quiet", "--config-file", "config.yaml"];
    },
  },
  {
    name: "DNSControl",
    counted: /^Done. (\d+) corrections/m,
    prepare(folder, shape) {
      mkdirSync(join(folder, "zones"));
      const head = "$TTL 3600\n@ SOA ns1.example.net. ops.example.net. 1 14400 3600 1209600 3600\n";
      const zones = numbers(shape.zones).map((zone) => {
        const { current, desired } = shape.lines(zone);
        writeFileSync(join(folder, "zones", `${zoneName(zone)}.zone`), `${head}${current.join("\n")}\n`);
        return `D("${zoneName(zone)}", none, DnsProvider(bind, 0), DefaultTTL(3600),\n${dnscontrolRecords(desired)});\n`;
      });
      const creds = { bind: { TYPE: "BIND", directory: "zones", filenameformat: "%D.zone" } };
      writeFileSync(join(folder, "creds.json"), JSON.stringify(creds));
      const start = `var none = NewRegistrar("none");\nvar bind = NewDnsProvider("bind");\n`;
      writeFileSync(join(folder, "dnsconfig.js"), `${start}${zones.join("")}`);
      return [process.env.ZONEWRIGHT_DNSCONTROL ?? "dnscontrol", "preview"];
    },
  },
];

/**
 * From zone files to the printed plan, as whole processes: our YAML against a snapshot, octoDNS's YAML against its
 * YAML, DNSControl's JavaScript against the zone files of its provider BIND. They take turns; each must print the same
 * number of changes.
 */
export async function* run(): AsyncGenerator<Case> {
  for (const shape of shapes.filter(({ name }) => name.includes(only))) {
    const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
    try {
      const commands = tools.map((tool) => {
        const cwd = join(folder, tool.name);
        mkdirSync(cwd);
        return { tool, cwd, words: tool.prepare(cwd, shape) };
      });
      const costs = new Map<string, ProcessCost[]>(tools.map(({ name }) => [name, []]));
      for (let round = 0; round < rounds; round++) {
        for (const { tool, cwd, words } of commands) {
          const cost = await measurePlan(tool, shape, words, cwd);
          if (cost) costs.get(tool.name)?.push(cost);
        }
      }
      const ours = costs.get("zonewright") ?? [];
      for (const { name } of tools) yield { group: shape.name, name, ...caseOf(name, ours, costs.get(name) ?? []) };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** The cost of one plan; undefined if the tool is not installed. @throws {Error} if it prints another plan */
async function measurePlan(
  { name, counted }: Tool,
  { changes }: Shape,
  words: readonly string[],
  cwd: string,
): Promise<ProcessCost | undefined> {
  const PATH = [...programFolders, process.env.PATH].join(delimiter);
  const cost = await measureProcess(words, { cwd, env: { PATH } });
  if (cost.code === 127) return undefined;
  const found = [...`${cost.out}${cost.talk}`.matchAll(new RegExp(counted, "gm"))].reduce(
    (sum, [, number]) => sum + Number(number),
    0,
  );
  if (cost.code === 0 && found === changes) return cost;
  throw new Error(
    `${name} exited with ${cost.code}, and printed ${found} changes instead of ${changes}\n${cost.out.slice(-2000)}${cost.talk}`,
  );
}

const aims: Readonly<Record<string, { CPU: number; memory?: number }>> = {
  octoDNS: { CPU: 0.1, memory: 1 },
  DNSControl: { CPU: 0.33 },
};

function caseOf(name: string, ours: readonly ProcessCost[], costs: readonly ProcessCost[]): Omit<Case, "name"> {
  if (costs.length === 0) return { note: "not measured: it is not on PATH (DNSControl: or in ZONEWRIGHT_DNSCONTROL)" };
  const of = (all: readonly ProcessCost[], key: "cpuSeconds" | "wallSeconds" | "peakBytes") =>
    all.map((cost) => cost[key]);
  const compared = (key: "cpuSeconds" | "wallSeconds" | "peakBytes", aim?: number) =>
    ratio(of(ours, key), of(costs, key), { to: name, better: "lower", ...(aim !== undefined && { aim }) });
  return {
    numbers: {
      CPU: seconds(median(of(costs, "cpuSeconds"))),
      time: seconds(median(of(costs, "wallSeconds"))),
      "peak memory": mebibytes(median(of(costs, "peakBytes"))),
    },
    ...(costs !== ours && {
      ratios: {
        "our CPU": compared("cpuSeconds", aims[name]?.CPU),
        "our time": compared("wallSeconds"),
        "our memory": compared("peakBytes", aims[name]?.memory),
      },
    }),
  };
}

function readZone(zone: number, lines: readonly string[]) {
  const file = { file: "zone", origin: domainName(`${zoneName(zone)}.`) };
  return readBind({ ...file, bytes: Buffer.from(`$TTL 3600\n${lines.join("\n")}\n`) }).zone;
}

/** A zone as the API returns it. */
function storedDomain(zone: number, lines: readonly string[]): object {
  const { name, records } = readZone(zone, lines);
  const created = "2026-03-04T12:00:00";
  const rest = { priority: 0, weight: 0, port: 0, service: null, protocol: null, tag: null, created, updated: created };
  const times = { ttl_sec: 3600, refresh_sec: 0, retry_sec: 0, expire_sec: 0 };
  const texts = { soa_email: "ops@example.net", description: "", group: "", status: "active", type: "master" };
  const lists = { tags: [], axfr_ips: [], master_ips: [] };
  return {
    ...{ id: zone + 1, domain: zoneName(zone), ...texts, ...times, ...lists, created, updated: created },
    records: records.map((record, index) => ({
      ...{ id: zone * 100_000 + index + 1, ...rest, ...toApi(record, name), name: apiName(record.owner, name) },
    })),
  };
}

interface Line {
  readonly owner: string;
  readonly ttl: number;
  readonly type: string;
  readonly words: readonly string[];
}

function readLine(line: string): Line {
  const [, owner = "", ttl, type = "", data = ""] = /^(\S+) (?:(\d+) )?([A-Z]+) (.*)$/.exec(line) ?? [];
  const words = type === "TXT" ? [data.slice(1, -1)] : data.split(" ");
  return { owner, ttl: Number(ttl ?? 3600), type, words };
}

function octodnsText(zone: number, lines: readonly string[]): string {
  const absolute = (target = "") => `${target}.${zoneName(zone)}.`;
  const entries = lines.map(readLine).map(({ owner, ttl, type, words: [first = "", second, third, fourth] }) => {
    const values: Record<string, unknown> = {
      A: first,
      TXT: first.replaceAll(";", "\\;"),
      CNAME: absolute(first),
      MX: { preference: Number(first), exchange: absolute(second) },
      SRV: { priority: Number(first), weight: Number(second), port: Number(third), target: absolute(fourth) },
    };
    return [owner === "@" ? "" : owner, { ttl, type, value: values[type] }];
  });
  return `---\n${stringify(Object.fromEntries(entries))}`;
}

function dnscontrolRecords(lines: readonly string[]): string {
  return lines
    .map(readLine)
    .map(({ owner, ttl, type, words }) => {
      const values = words.map((word) => (/^\d+$/.test(word) ? word : JSON.stringify(word))).join(", ");
      return `  ${type}("${owner}", ${values}, TTL(${ttl}))`;
    })
    .join(",\n");
}
