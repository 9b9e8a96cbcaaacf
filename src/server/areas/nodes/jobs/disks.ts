import type { ApiErrorEntry } from "../../../../contract/errors.ts";
import type { Disk } from "../../../../contract/resources/disk.ts";
import type { Profile } from "../../../entities/context.ts";
import { diskEntity } from "../../../entities/entities.ts";
import { errorEntry } from "../../../kit/api-error.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import { findRow, listRows, removeRows, updateRow } from "../../../store/rows.ts";
import type { Database, DiskRow, NodeRow } from "../../../store/tables.ts";

import { type Devices, hasDisk, withoutDisk } from "../rules/devices.ts";
import type { Ending, NodeEnd } from "./ending.ts";
import { type Cause, type NodeJobData, startNodeJob } from "./jobs.ts";
import { isPoweredOff } from "./power.ts";

/** A stored disk as a reply shows it (decisions/nodes#disks, decisions/service#order-of-keys). */
export function diskReply({ id, status, label, created, updated, filesystem, size }: DiskRow, profile: Profile): Disk {
  const disk = { id, status, label, created, updated, filesystem, size };
  return profile === "live" ? { ...disk, disk_encryption: "enabled" } : disk;
}

/** Starts a job of a disk, and returns the disk as it is while the job runs. */
export async function startDiskJob(
  db: Database,
  cause: Cause,
  { node, disk, size }: { readonly node: NodeRow; readonly disk: DiskRow; readonly size?: number },
  kind: keyof typeof diskEnds,
): Promise<DiskRow> {
  const data: Omit<NodeJobData, "before"> = { disk: disk.id, ...(size !== undefined && { size }) };
  const secondary = kind === "disk_password" ? {} : { secondary: diskEntity(disk) };
  await startNodeJob(db, cause, node, kind, { ...secondary, data });
  return updateRow(db, "disks", disk.id, { status: kind === "disk_delete" ? "deleting" : "not ready" });
}

/** Whether the node is not off and its active configuration profile, or the rescue system, has the disk. */
export async function isInUse(db: Database, node: NodeRow, { id }: DiskRow): Promise<boolean> {
  return !isPoweredOff(node) && hasDisk(await activeDevices(db, node), id);
}

async function activeDevices(db: Database, node: NodeRow): Promise<Devices> {
  if (node.rescue_devices !== null) return JSON.parse(node.rescue_devices);
  const config = await findRow(db, "node_configs", { id: node.booted_config_id ?? 0, node_id: node.id });
  return config === undefined ? {} : JSON.parse(config.devices);
}

/** Whether the node's disks leave room for so many MB more. */
export async function hasRoom(db: Database, node: NodeRow, more: number): Promise<boolean> {
  const all = await listRows(db, "disks", { node_id: node.id });
  return all.reduce((sum, { size }) => sum + size, more) <= node.disk;
}

/** An error about a size for which the node has no room. */
export async function roomErrors(db: Database, node: NodeRow, more: number): Promise<ApiErrorEntry[]> {
  return (await hasRoom(db, node, more)) ? [] : [errorEntry("size", noRoom)];
}

export const noRoom = "Not enough unallocated space";

const inUse = { message: "The disk is in use. Power off first." };

/** The ends of the jobs of disks (decisions/nodes#jobs). */
export const diskEnds = {
  disk_create: { end: becomeReady, fail: removeDisk },
  disk_duplicate: { end: becomeReady, fail: removeDisk },
  disk_delete: {
    async end(ending) {
      if (await isInUse(ending.db, ending.node, await diskOf(ending))) return inUse;
      await removeDisk(ending);
      return undefined;
    },
    fail: keepDisk,
  },
  disk_resize: {
    async end(ending) {
      const { db, node, data, now } = ending;
      const disk = await diskOf(ending);
      const { size = disk.size } = data;
      if (await isInUse(db, node, disk)) return inUse;
      if (size < disk.content) return { message: `The content of the disk needs ${disk.content} MB.` };
      await updateRow(db, "disks", disk.id, { status: "ready", size, updated: timestamp(now) });
      return undefined;
    },
    fail: keepDisk,
  },
  disk_password: { end: becomeReady, fail: keepDisk },
} satisfies Record<string, NodeEnd>;

async function diskOf({ db, job, node, data }: Ending): Promise<DiskRow> {
  const disk = await findRow(db, "disks", { id: data.disk ?? 0, node_id: node.id });
  if (disk === undefined) throw new Error(`job ${job.id} is of a disk that does not exist`);
  return disk;
}

async function becomeReady(ending: Ending): Promise<undefined> {
  const { id } = await diskOf(ending);
  await updateRow(ending.db, "disks", id, { status: "ready", updated: timestamp(ending.now) });
}

async function keepDisk(ending: Ending): Promise<void> {
  await updateRow(ending.db, "disks", (await diskOf(ending)).id, { status: "ready" });
}

/** Deletes the disk, which leaves the slots of the node as well. */
async function removeDisk(ending: Ending): Promise<void> {
  const { db, node } = ending;
  const { id } = await diskOf(ending);
  for (const config of await listRows(db, "node_configs", { node_id: node.id })) {
    const devices: Devices = JSON.parse(config.devices);
    if (hasDisk(devices, id))
      await updateRow(db, "node_configs", config.id, { devices: JSON.stringify(withoutDisk(devices, id)) });
  }
  await removeRows(db, "disks", { id });
}
