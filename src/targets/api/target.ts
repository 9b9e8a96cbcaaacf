import type { Client, ReadingClient } from "../../client/client.ts";
import type { ReadingTarget, Target } from "../target.ts";
import { apiKind } from "./kind.ts";
import { apiReads } from "./live.ts";
import { type SnapshotHead, type SnapshotOptions, snapshotAccount, type TakenSnapshot } from "./snapshot.ts";
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
    takeSnapshot: (head, options) => snapshotAccount(client, head, options),
  };
}
