import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Case } from "./case.ts";

/** All that one run measured, and where. */
export interface Result {
  readonly version: 1;
  readonly commit: string;
  /** Whether files differed from the commit. */
  readonly isModified: boolean;
  readonly date: string;
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly benches: readonly BenchResult[];
}

export interface BenchResult {
  readonly name: string;
  readonly cases: readonly Case[];
  /** The message of the error that ended it early. */
  readonly error?: string;
}

const project = fileURLToPath(new URL("../..", import.meta.url));

export function describeRun(now: Date): Omit<Result, "benches"> {
  const git = (...words: string[]) => execFileSync("git", words, { cwd: project, encoding: "utf8" }).trim();
  const processors = cpus();
  return {
    version: 1,
    commit: git("rev-parse", "HEAD"),
    isModified: git("status", "--porcelain") !== "",
    date: now.toISOString(),
    node: process.version,
    cpu: processors[0]?.model.trim() ?? "unknown",
    cores: processors.length,
    memoryBytes: totalmem(),
  };
}

/** Writes a result into `.bench`, which git ignores, and returns the path. */
export function writeResult(result: Result): string {
  const folder = join(project, ".bench");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${result.date.slice(0, 19).replaceAll(":", "")}-${result.commit.slice(0, 8)}.json`);
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
  return file;
}

/** The parts that a comparison reads. JSON writes a ratio that is not a number as null. */
const comparable = z.object({
  version: z.literal(1),
  node: z.string(),
  cpu: z.string(),
  cores: z.number(),
  benches: z.array(
    z.object({
      name: z.string(),
      cases: z.array(
        z.object({
          group: z.string().optional(),
          name: z.string(),
          ratios: z.record(z.string(), z.object({ value: z.number().nullable(), to: z.string() })).optional(),
        }),
      ),
    }),
  ),
});

/** @throws {Error} if the file cannot be read, or is not a result */
export function readResult(file: string): Result {
  const text = readText(file);
  try {
    const result = JSON.parse(text);
    comparable.parse(result);
    return result;
  } catch {
    throw new Error(`${file} is not a result that npm run bench -- NAME... --json wrote.`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
