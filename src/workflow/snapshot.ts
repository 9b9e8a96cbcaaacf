import type { PlanningTarget } from "../targets/target.ts";
import type { ApiConnection } from "./connect.ts";
import { readText } from "./files.ts";
import { targetOf } from "./plan-file.ts";
import { reportLive } from "./progress.ts";
import type { RunContext } from "./run-context.ts";
import { parseSnapshot, type Snapshot, snapshotTarget } from "./target.ts";

/** A snapshot as a target to plan for. */
export interface SnapshotToPlan {
  readonly target: PlanningTarget;
  /** The API that it was taken from, and when. */
  readonly source: Snapshot["target"] & { readonly time: Date };
}

/** @throws {ProblemError} `file-read`, `snapshot-read` */
export function readSnapshot({ cwd }: RunContext, file: string): SnapshotToPlan {
  const snapshot = parseSnapshot(file, readText(cwd, file));
  return { target: snapshotTarget(snapshot), source: { ...snapshot.target, time: new Date(snapshot.time) } };
}

/** Saves the live zones of the account, to plan against without a token. */
export async function takeSnapshot(
  { now, signal, onProgress }: RunContext,
  { target, api }: ApiConnection,
): Promise<Snapshot> {
  const time = `${now().toISOString().slice(0, 19)}Z`;
  return target.takeSnapshot(
    { time, target: await targetOf(target, api, signal) },
    { signal, onRead: reportLive(onProgress) },
  );
}
