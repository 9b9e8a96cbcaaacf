import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Case, ms, ratio } from "./case.ts";
import { median } from "./median.ts";
import { measureProcess } from "./process-cost.ts";
import { program, programBefore } from "./programs.ts";

const runs = 10;

const programs = { zonewright: program, ...(programBefore && { before: programBefore }) };

const commands = ["--version", "--help", "validate", "plan --against live.json"];

/**
 * The CPU of a start, up to `validate` and `plan` of one zone, beside that of Node itself: medians, in turns
 * (decisions/performance#commands).
 */
export async function* run(): AsyncGenerator<Case> {
  const cwd = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  try {
    mkdirSync(join(cwd, "zones"));
    writeFileSync(join(cwd, "zones/example.com.yaml"), "soa_email: a@example.com\nrecords: {www: {A: 192.0.2.1}}\n");
    writeFileSync(join(cwd, "live.json"), JSON.stringify(emptySnapshot));
    const calls = new Map([["node -e 0", [process.execPath, "-e", "0"]]]);
    for (const [name, main] of Object.entries(programs)) {
      if (!existsSync(main)) throw new Error(`${main} is missing: run \`npm run build\` there`);
      for (const command of commands) calls.set(`${name} ${command}`, [process.execPath, main, ...command.split(" ")]);
    }
    const costs = new Map([...calls.keys()].map((name) => [name, [] as number[]]));
    for (let round = 0; round < runs; round++) {
      for (const [name, words] of calls) {
        const { code, cpuSeconds, talk } = await measureProcess(words, { cwd });
        if (code !== 0) throw new Error(`${name} exited with ${code}: ${talk}`);
        costs.get(name)?.push(cpuSeconds * 1000);
      }
    }
    const base = costs.get("node -e 0") ?? [];
    for (const [name, list] of costs) {
      const before = costs.get(name.replace(/^zonewright/, "before"));
      yield {
        name,
        numbers: { CPU: ms(median(list)), "above node -e 0": ms(median(list) - median(base)) },
        ratios: {
          ...(list !== base && { CPU: ratio(list, base, { to: "node -e 0", better: "lower" }) }),
          ...(before && before !== list && { "CPU to before": ratio(list, before, { to: "before", better: "lower" }) }),
        },
      };
    }
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

const emptySnapshot = {
  format: "zonewright.snapshot/1",
  time: "2026-03-04T12:00:00Z",
  target: { api: "https://api.example.net", account: null },
  domains: [],
};
