import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { byOwner } from "../../src/dns/zone.ts";
import { originOf } from "../../src/formats/files.ts";
import { readBind } from "../formats/api.ts";
import { mostRealZones } from "../real-zones.ts";
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
export async function run(): Promise<void> {
  if (!existsSync(program)) throw new Error("build first: npm run build");
  const sets = files.reduce((sum, file) => sum + setsIn(file), 0);
  const nothing = timed([program, "--version"]);
  const all = timed([program, "validate", "--zones", folder]);
  console.log(`  ${files.length} zones, ${sets} RRsets`);
  console.log(`  start alone      ${nothing.toFixed(0).padStart(5)} ms`);
  console.log(`  start and check  ${all.toFixed(0).padStart(5)} ms   aim ${aim.ms}`);
  const each = (all * 1000) / sets;
  console.log(
    `  for each RRset   ${each.toFixed(0).padStart(5)} µs   ${(each / elsewhere).toFixed(2)} × the ${elsewhere} µs of octodns-validate`,
  );
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
