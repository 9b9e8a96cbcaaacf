import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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

/** @throws {Error} if the file is not a result */
export function readResult(file: string): Result {
  const result = JSON.parse(readFileSync(file, "utf8"));
  if (result?.version !== 1 || !Array.isArray(result.benches))
    throw new Error(`${file} is not a result of npm run bench -- --json`);
  return result;
}
