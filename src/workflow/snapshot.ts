import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { ProblemError, problem } from "../diagnostics/problem.ts";
import { fileTrouble } from "../formats/files.ts";
import { parseSnapshot, type Snapshot } from "../targets/api/snapshot.ts";
import { snapshotTarget } from "../targets/api/target.ts";
import type { PlanningTarget } from "../targets/target.ts";
import type { RunContext } from "./run-context.ts";

/**
 * A snapshot file as a target to plan for.
 * @throws {ProblemError} `file-read`, `snapshot-read`
 */
export function readSnapshot(
  { cwd }: RunContext,
  file: string,
): { service: PlanningTarget; target: Snapshot["target"] & { time: Date } } {
  const snapshot = parseSnapshot(file, readText(cwd, file));
  return { service: snapshotTarget(snapshot), target: { ...snapshot.target, time: new Date(snapshot.time) } };
}

/** @throws {ProblemError} `file-read` */
export function readText(cwd: string, file: string): string {
  try {
    return readFileSync(resolve(cwd, file), "utf8");
  } catch (error) {
    const fix = "Name a file that this user may read.";
    throw new ProblemError(problem("file-read", `${file} cannot be read: ${fileTrouble(error)}`, { fix }));
  }
}
