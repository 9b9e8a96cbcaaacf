import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { readBind, writeOctodns, writeYaml } from "../formats/api.ts";
import { domainName } from "../names.ts";
import { mostRealZones } from "../real-zones.ts";
import { type Case, ms, ratio } from "./case.ts";
import { median } from "./median.ts";
import { mixedZone } from "./mixed-zone.ts";

/** Built as the program is: a loader of TypeScript would add a call for each closure. */
const child = fileURLToPath(new URL("../../.bench/yaml-child.mjs", import.meta.url));
const size = 10_000;
const aim = 5;
const turns = 3;

/**
 * Reading YAML files by the reader of plain files and by the YAML library, in turns: processor time of the trees, and
 * of the zones with their trees. Cold is the first time in a process, warm the best of five more.
 */
export function* run(): Generator<Case> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  buildSync({
    entryPoints: [fileURLToPath(new URL("./yaml-child.ts", import.meta.url))],
    outfile: child,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
  });
  try {
    const bytes = Buffer.from(mixedZone(size), "latin1");
    const { zone } = readBind({ file: "example.com.zone", bytes, origin: domainName("example.com.") });
    for (const name of ["yaml", "octodns", "real"]) mkdirSync(join(folder, name));
    writeFileSync(join(folder, "yaml/example.com.yaml"), writeYaml(zone));
    writeFileSync(join(folder, "octodns/example.com.yaml"), writeOctodns(zone).text);
    cpSync(mostRealZones.octodns, join(folder, "real"), { recursive: true });
    const groups = [
      ["yaml", "yaml", `${size} records in our own form`],
      ["octodns", "octodns", `${size} records in the form of octoDNS`],
      ["real", "octodns", `${mostRealZones.name}, in the form of octoDNS`],
    ] as const;
    for (const [name, format, group] of groups)
      for (const what of ["tree", "zone"]) yield* measure(group, what, [join(folder, name), format, what]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function* measure(group: string, what: string, args: readonly string[]): Generator<Case> {
  const pairs = Array.from({ length: turns }, () => ({
    plain: readInChild([...args, "plain"]),
    library: readInChild([...args, "library"]),
  }));
  for (const run of ["cold", "warm"] as const) {
    const plain = pairs.map((pair) => pair.plain[run]);
    const library = pairs.map((pair) => pair.library[run]);
    yield {
      group,
      name: `${what}, ${run}`,
      numbers: { CPU: ms(median(plain)), "CPU with the library": ms(median(library)) },
      ratios: { speed: ratio(library, plain, { to: "the library", better: "higher", aim }) },
    };
  }
}

function readInChild(args: readonly string[]): { readonly cold: number; readonly warm: number } {
  const { stdout, stderr, status } = spawnSync(process.execPath, [child, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
