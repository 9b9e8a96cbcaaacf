import type { Client, ReadingClient } from "../../client/client.ts";
import { largestPage } from "../../contract/page.ts";
import type { LiveOptions } from "../read-live.ts";
import type { PlanningTarget, ReadingTarget, Target, TargetKind } from "../target.ts";
import { accept } from "./accept.ts";
import { recordLimits, strictRules } from "./limits.ts";
import { apiPlanningReads, apiReads } from "./live.ts";
import { apiSettings } from "./settings.ts";
import { type Snapshot, snapshotClient, takeSnapshot } from "./snapshot.ts";
import { apiWrites } from "./writes.ts";

export interface ApiTarget extends Target {
  takeSnapshot(head: Pick<Snapshot, "time" | "target">, options?: LiveOptions): Promise<Snapshot>;
}

export const apiKind: TargetKind = {
  name: "API",
  capabilities: { settings: apiSettings, atomicChanges: false, recordsPerRead: largestPage },
  accept,
  recordLimits,
  strictRules,
};

/** The API, over a connection. */
export function apiTarget(client: Client): ApiTarget {
  return {
    ...apiKind,
    read: apiReads(client),
    writes: apiWrites(client),
    takeSnapshot: (head, options) => takeSnapshot(client, head, options),
  };
}

/** The API, over a connection that only reads. */
export function apiReadingTarget(client: ReadingClient): ReadingTarget {
  return { ...apiKind, read: apiReads(client) };
}

/** The API at the time of a snapshot. */
export function snapshotTarget(snapshot: Snapshot): PlanningTarget {
  return { ...apiKind, read: apiPlanningReads(snapshotClient(snapshot)) };
}
