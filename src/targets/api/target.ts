import type { Client, ReadingClient } from "../../client/client.ts";
import type { PlanningTarget, ReadingTarget, Target } from "../target.ts";
import type { Candidates } from "./freed-addresses.ts";
import { apiKind } from "./kind.ts";
import { apiPlanningReads, apiReads } from "./live.ts";
import {
  freedInSnapshot,
  type Snapshot,
  type SnapshotHead,
  type SnapshotOptions,
  snapshotClient,
  type TakenSnapshot,
  takeSnapshot,
} from "./snapshot.ts";
import { apiWrites } from "./writes.ts";

/** The abilities of the API besides the reads and writes of every target. */
interface Snapshots {
  takeSnapshot(head: SnapshotHead, options?: SnapshotOptions): Promise<TakenSnapshot>;
}

export interface ApiTarget extends Target, Snapshots {}

export interface ApiReadingTarget extends ReadingTarget, Snapshots {}

/** The API, over a connection. */
export function apiTarget(client: Client): ApiTarget {
  return { ...apiReadingTarget(client), writes: apiWrites(client) };
}

/** The API, over a connection that only reads. */
export function apiReadingTarget(client: ReadingClient): ApiReadingTarget {
  return {
    ...apiKind,
    read: apiReads(client),
    takeSnapshot: (head, options) => takeSnapshot(client, head, options),
  };
}

/** The API at the time of a snapshot. */
export function snapshotTarget(snapshot: Snapshot): PlanningTarget {
  const readFreedAddresses = (addresses: Candidates) => freedInSnapshot(snapshot, addresses);
  return { ...apiKind, read: { ...apiPlanningReads(snapshotClient(snapshot)), readFreedAddresses } };
}
