import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { byOwner } from "../../src/dns/zone/owners.ts";
import { originOf } from "../../src/formats/files.ts";
import { readBind } from "../formats/api.ts";
import { mostRealZones } from "../real-zones.ts";
import { type Case, ms, ratio } from "./case.ts";
import { median } from "./median.ts";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const { bind: folder, bindFiles: files } = mostRealZones;
const runs = 7;
const aim = { ms: 1500 };
/** Microseconds for an RRset: the published order of octodns-validate, which is not measured here. */
const elsewhere = 250;

/**
 * The time of the built program to check real zones (405 if they are next to the checkout, for which the goal is set),
 * from start to end: the median of seven.
 */
export function* run(): Generator<Case> {
  if (!existsSync(program)) throw new Error("build first: npm run build");
  const sets = files.reduce((sum, file) => sum + setsIn(file), 0);
  const nothing = timed([program, "--version"]);
  const all = timed([program, "validate", "--zones", folder]);
  const group = `${files.length} zones, ${sets} RRsets`;
  yield { group, name: "start alone", numbers: { time: ms(nothing) } };
  yield {
    group,
    name: "start and check",
    numbers: { time: ms(all), "for each RRset": { value: (all * 1000) / sets, unit: "µs" } },
    ratios: { time: ratio(all, nothing, { to: "start alone", better: "lower" }) },
    note: `aim ${aim.ms} ms; octodns-validate published ${elsewhere} µs for each RRset`,
  };
}

function setsIn(file: string): number {
  const { zone } = readBind({ file, bytes: readFileSync(join(folder, file)), origin: originOf(file) });
  return [...byOwner(zone.records).values()].reduce((sum, sets) => sum + sets.values().length, 0);
}

function timed(args: string[]): number {
  const times = Array.from({ length: runs }, () => {
    const begin = performance.now();
    execFileSync(process.execPath, args, { stdio: "ignore" });
    return performance.now() - begin;
  });
  return median(times);
}
