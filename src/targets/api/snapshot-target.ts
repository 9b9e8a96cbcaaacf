import type { PlanningTarget } from "../target.ts";
import type { Candidates } from "./freed-addresses.ts";
import { apiKind } from "./kind.ts";
import { apiPlanningReads } from "./live.ts";
import { freedInSnapshot, type Snapshot, snapshotClient } from "./snapshot.ts";

/** The API at the time of a snapshot. */
export function snapshotTarget(snapshot: Snapshot): PlanningTarget {
  const readFreedAddresses = (addresses: Candidates) => freedInSnapshot(snapshot, addresses);
  return { ...apiKind, read: { ...apiPlanningReads(snapshotClient(snapshot)), readFreedAddresses } };
}
