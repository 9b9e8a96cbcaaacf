import { reasons } from "../../../../contract/errors.ts";
import type { EventAction } from "../../../../contract/resources/event.ts";
import type { NodeStatus } from "../../../../contract/resources/node.ts";
import type { Actor, Profile } from "../../../entities/context.ts";
import { nodeEntity } from "../../../entities/entities.ts";
import { type EventDetails, updateEventRow } from "../../../entities/events.ts";
import { startJob } from "../../../entities/jobs.ts";
import { badRequest, type Refusal } from "../../../kit/api-error.ts";
import type { JobDriver } from "../../../kit/job-driver.ts";
import { exactTimestamp } from "../../../kit/timestamp.ts";
import { findRow, removeRows } from "../../../store/rows.ts";
import type { Database, NodeRow } from "../../../store/tables.ts";
import { updateNodeRow } from "../rows/nodes.ts";
import type { Devices } from "../rules/devices.ts";
import type { StoredInterface } from "../rules/interfaces.ts";
import type { Contents } from "./contents.ts";

interface NodeJob {
  readonly action: EventAction;
  /** Status of the node while the job runs; as before without it. */
  readonly status?: NodeStatus;
  /** Duration at the hosted service. */
  readonly seconds: number;
}

/** The jobs of nodes (decisions/nodes#jobs). */
const nodeJobs = {
  create: { action: "node_create", status: "provisioning", seconds: 50 },
  create_empty: { action: "node_create", status: "provisioning", seconds: 8 },
  boot: { action: "node_boot", status: "booting", seconds: 24 },
  shutdown: { action: "node_shutdown", status: "shutting_down", seconds: 28 },
  reboot: { action: "node_reboot", status: "rebooting", seconds: 52 },
  watchdog_reboot: { action: "watchdog_reboot", status: "booting", seconds: 24 },
  host_reboot: { action: "host_reboot", status: "booting", seconds: 24 },
  rescue: { action: "node_reboot", status: "rebooting", seconds: 52 },
  rebuild: { action: "node_rebuild", status: "rebuilding", seconds: 60 },
  disk_create: { action: "disk_create", seconds: 17 },
  disk_delete: { action: "disk_delete", seconds: 17 },
  disk_resize: { action: "disk_resize", seconds: 17 },
  disk_duplicate: { action: "disk_duplicate", seconds: 17 },
  disk_password: { action: "password_reset", seconds: 5 },
  password: { action: "password_reset", seconds: 5 },
  snapshot: { action: "node_snapshot", seconds: 260 },
  restore: { action: "backups_restore", status: "restoring", seconds: 19 },
  clone: { action: "node_clone", status: "cloning", seconds: 110 },
  resize: { action: "node_resize", status: "migrating", seconds: 120 },
  migrate: { action: "node_migrate", status: "migrating", seconds: 120 },
  migrate_datacenter: { action: "node_migrate_datacenter", status: "migrating", seconds: 120 },
  delete: { action: "node_delete", status: "deleting", seconds: 10 },
} as const satisfies Record<string, NodeJob>;

export type NodeJobKind = keyof typeof nodeJobs;

/** Facts that a job needs at its end; each kind uses its own. */
export interface NodeJobData {
  /** The node's status before the job. */
  readonly before: NodeStatus;
  /** The configuration profile that is booted. */
  readonly config?: number;
  /** Whether a boot follows. */
  readonly boots?: boolean;
  /** The devices of the rescue system that is booted. */
  readonly rescue?: Devices;
  /** The image, by its id, that a rebuild deploys. */
  readonly deploys?: {
    readonly image: string;
    readonly swap: number;
    readonly interfaces: readonly StoredInterface[];
  };
  /** The disk that the job is about, and the size in MB that it gets. */
  readonly disk?: number;
  readonly size?: number;
  /** The disks and configuration profiles that a restore or a clone gives the node. */
  readonly contents?: Contents;
  /** Whether a restore deletes what the node has. */
  readonly overwrites?: boolean;
  /** The node that is cloned. */
  readonly source?: number;
  /** The new type, and whether a disk grows to its room. */
  readonly type?: string;
  readonly grows?: boolean;
  /** The new region. */
  readonly region?: string;
}

/** The cause of a job, the moment, and what carries it out. */
export interface Cause {
  readonly caller: Actor;
  readonly now: Date;
  readonly jobDriver: JobDriver;
}

/** Starts a job of a node that has none, and sets the node's status. Returns the node as it is while the job runs. */
export async function startNodeJob(
  db: Database,
  { jobDriver, ...cause }: Cause,
  node: NodeRow,
  kind: NodeJobKind,
  {
    entity = nodeEntity(node),
    data,
    status,
    ...shown
  }: Partial<EventDetails> & {
    readonly data?: Omit<NodeJobData, "before">;
    /** Status of the node while the job runs, if not that of the kind. */
    readonly status?: NodeStatus;
  } = {},
): Promise<NodeRow> {
  const job: NodeJob = nodeJobs[kind];
  await startJob(db, cause, {
    kind,
    action: job.action,
    of: { type: "node", id: node.id },
    entity,
    seconds: jobDriver.seconds(job.seconds),
    ...shown,
    data: { before: node.status, ...data } satisfies NodeJobData,
  });
  const during = status ?? job.status;
  return during === undefined ? node : updateNodeRow(db, node.id, { status: during });
}

/** @throws {Refusal} 400 for a node with an unfinished job: nothing queues (decisions/nodes#jobs). */
export async function requireIdle(db: Database, node: NodeRow, profile: Profile): Promise<void> {
  if (await findRow(db, "jobs", { entity_type: "node", entity_id: node.id })) throw busy(profile);
}

/** @throws {Refusal} 400 for a node that is being deleted, for changes that no other job holds up. */
export function requireKept({ status }: NodeRow, profile: Profile): void {
  if (status === "deleting") throw busy(profile);
}

/** Clients wait and send the request again if the reason is exactly this. */
function busy(profile: Profile): Refusal {
  return badRequest(profile === "live" ? reasons.nodeBusyLive : reasons.nodeBusy);
}

/** Ends the unfinished job of a node or a volume as failed. */
export async function failJob(
  db: Database,
  type: "node" | "volume",
  { id }: { readonly id: number },
  now: Date,
  message: string,
): Promise<void> {
  const job = await findRow(db, "jobs", { entity_type: type, entity_id: id });
  if (job === undefined) return;
  await removeRows(db, "jobs", { id: job.id });
  const ends = exactTimestamp(now);
  if (job.event_id !== null) await updateEventRow(db, job.event_id, { status: "failed", message, ends });
}
