import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readBind, writeYaml } from "../formats/api.ts";
import { domainName } from "../names.ts";
import { type Case, ms, ratio } from "./case.ts";
import { median } from "./median.ts";
import { mixedZone } from "./mixed-zone.ts";

const child = fileURLToPath(new URL("./fmt-child.ts", import.meta.url));
const size = 20_000;
const coldRuns = 3;
const warmRuns = 4;
const aim = 3;
const tasks = {
  read: "read in full",
  fmt: "fmt",
  sort: "fmt --sort",
  convert: "fmt --to the other format",
};

/**
 * Formatting a zone of 20,000 records in both formats: processor time, and its ratio to reading the same file with the
 * data of all records. Cold is the first time in a process (the median of three processes); warm is the median of
 * three more in one process.
 */
export function* run(): Generator<Case> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  try {
    const master = commented(mixedZone(size));
    const { zone } = readBind({
      file: "example.com.zone",
      bytes: Buffer.from(master),
      origin: domainName("example.com."),
    });
    const files = { "example.com.zone": master, "example.com.yaml": untidy(writeYaml(zone)) };
    for (const [name, text] of Object.entries(files)) {
      const file = join(folder, name);
      writeFileSync(file, text);
      const group = `${name}, ${zone.records.length} records, ${(text.length / 1e6).toFixed(1)} MB`;
      let [readCold, readWarm] = [Number.NaN, Number.NaN];
      for (const [task, label] of Object.entries(tasks)) {
        const [cold, warm] = [coldTime(task, file), warmTime(task, file)];
        if (task === "read") [readCold, readWarm] = [cold, warm];
        const of = { to: "read in full", better: "lower", ...(task === "fmt" && { aim }) } as const;
        const ratios = task === "read" ? {} : { cold: ratio(cold, readCold, of), warm: ratio(warm, readWarm, of) };
        yield { group, name: label, numbers: { cold: ms(cold), warm: ms(warm) }, ratios };
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** With a comment above every hundredth line and behind every fiftieth. */
function commented(text: string): string {
  return text
    .split("\n")
    .map((line, index) => {
      const behind = index % 50 === 7 ? `${line} ; note ${index}` : line;
      return index > 3 && index % 100 === 10 ? `; about the line below, ${index}\n${behind}` : behind;
    })
    .join("\n");
}

/** Types in lower case and white space at the ends of lines: a file that `fmt` changes. */
function untidy(yaml: string): string {
  return yaml.replace(/^ {4}[A-Z]+:/gm, (type) => type.toLowerCase()).replace(/$/gm, " ");
}

function coldTime(task: string, file: string): number {
  return median(Array.from({ length: coldRuns }, () => timesOf(task, file, 1)[0] ?? Number.NaN));
}

function warmTime(task: string, file: string): number {
  return median(timesOf(task, file, warmRuns).slice(1));
}

function timesOf(task: string, file: string, times: number): number[] {
  const args = ["--import", "tsx", child, task, file, String(times)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
}
