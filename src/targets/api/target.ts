import type { Client } from "../../client/client.ts";
import { largestPage } from "../../contract/page.ts";
import { defaultTimes } from "../../contract/ttl.ts";
import type { Capabilities, PlanningTarget, Target } from "../target.ts";
import { accept } from "./accept.ts";
import { apiPlanningReads, apiReads } from "./live.ts";
import { type Snapshot, snapshotClient, takeSnapshot } from "./snapshot.ts";
import { apiWrites } from "./writes.ts";

export interface ApiTarget extends Target {
  takeSnapshot(head: Pick<Snapshot, "time" | "target">, signal?: AbortSignal): Promise<Snapshot>;
}

const capabilities: Capabilities = { defaultTimes, atomicChanges: false, recordsPerRead: largestPage };

/** The API, over a connection. */
export function apiTarget(client: Client): ApiTarget {
  return {
    capabilities,
    accept,
    read: apiReads(client),
    writes: apiWrites(client),
    takeSnapshot: (head, signal) => takeSnapshot(client, head, signal),
  };
}

/** The API as it was when a snapshot was taken. */
export function snapshotTarget(snapshot: Snapshot): PlanningTarget {
  return { capabilities, accept, read: apiPlanningReads(snapshotClient(snapshot)) };
}
