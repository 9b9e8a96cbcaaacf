import type { Context, Handler } from "../../../entities/context.ts";
import { diskEntity, nodeEntity } from "../../../entities/entities.ts";
import { addEvent } from "../../../entities/events.ts";
import { badRequest, errorEntry, notFound, refuseIfAny } from "../../../kit/api-error.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import { findRow, insertRow, updateRow } from "../../../store/rows.ts";
import type { Database, DiskRow, NodeRow } from "../../../store/tables.ts";
import { diskLabel } from "../jobs/create.ts";
import { diskReply, hasRoom, isInUse, noRoom, roomErrors, startDiskJob } from "../jobs/disks.ts";
import { findKeptNode } from "../jobs/find.ts";
import { requireIdle } from "../jobs/jobs.ts";

import { passwordErrors, readDeployment } from "../rules/deployment.ts";

export const createDisk: Handler<"createDisk"> = ({ nodeId, body }, context) =>
  context.store.write(async (db) => {
    const node = await findKeptNode(db, { nodeId }, context, "read_write");
    await requireIdle(db, node, context.profile);
    const { image, errors } = await readDeployment(db, body, context);
    const label = body.label ?? (image && diskLabel(image));
    refuseIfAny([
      ...(body.image == null && body.label == null ? [errorEntry("label", "label is required")] : []),
      ...errors,
      ...(image && body.size < image.size ? [errorEntry("size", `The image needs ${image.size} MB`)] : []),
      ...(await roomErrors(db, node, body.size)),
    ]);
    if (label === undefined) throw new Error("a request without errors has a label or an image");
    const filesystem = body.filesystem ?? image?.filesystem ?? "ext4";
    const disk = await insertDisk(db, node, { label, filesystem, size: body.size, content: image?.size ?? 0 }, context);
    return diskReply(await startDiskJob(db, context, { node, disk }, "disk_create"), context.profile);
  });

function insertDisk(
  db: Database,
  { id: node_id }: NodeRow,
  columns: Pick<DiskRow, "label" | "filesystem" | "size" | "content">,
  { now }: Context,
): Promise<DiskRow> {
  const moment = timestamp(now);
  return insertRow(db, "disks", { ...columns, node_id, status: "not ready", created: moment, updated: moment });
}

/** Changes a disk: its label at once, also while a job of the node runs; its size by a job. */
export const updateDisk: Handler<"updateDisk"> = ({ body, ...path }, context) =>
  context.store.write(async (db) => {
    const { node, disk } = await findDisk(db, path, context);
    const size = body.size ?? disk.size;
    const filesystem = body.filesystem ?? disk.filesystem;
    const reformats = filesystem !== disk.filesystem;
    if (reformats || size !== disk.size) await requireIdle(db, node, context.profile);
    refuseIfAny([
      ...(reformats && (await isInUse(db, node, disk)) ? [errorEntry("filesystem", "Node must be shut down")] : []),
      ...(await roomErrors(db, node, size - disk.size)),
    ]);
    const label = body.label ?? disk.label;
    const changed = await updateRow(db, "disks", disk.id, { label, filesystem, updated: timestamp(context.now) });
    await addEvent(db, context, "disk_update", { entity: nodeEntity(node), secondary: diskEntity(changed) });
    if (size === disk.size) return diskReply(changed, context.profile);
    return diskReply(await startDiskJob(db, context, { node, disk: changed, size }, "disk_resize"), context.profile);
  });

export const deleteDisk: Handler<"deleteDisk"> = (path, context) =>
  context.store.write(async (db) => {
    const { node, disk } = await findIdleDisk(db, path, context);
    await startDiskJob(db, context, { node, disk }, "disk_delete");
    return {};
  });

export const cloneDisk: Handler<"cloneDisk"> = (path, context) =>
  context.store.write(async (db) => {
    const { node, disk } = await findIdleDisk(db, path, context);
    if (!(await hasRoom(db, node, disk.size))) throw badRequest(noRoom);
    const { filesystem, size, content } = disk;
    const label = `Copy of ${disk.label}`.slice(0, 48);
    const copy = await insertDisk(db, node, { label, filesystem, size, content }, context);
    return diskReply(await startDiskJob(db, context, { node, disk: copy }, "disk_duplicate"), context.profile);
  });

export const resizeDisk: Handler<"resizeDisk"> = ({ body: { size }, ...path }, context) =>
  context.store.write(async (db) => {
    const { node, disk } = await findIdleDisk(db, path, context);
    refuseIfAny(await roomErrors(db, node, size - disk.size));
    await startDiskJob(db, context, { node, disk, size }, "disk_resize");
    return {};
  });

/** Checks the password and discards it: no guest runs (decisions/nodes#simulation). */
export const resetDiskPassword: Handler<"resetDiskPassword"> = ({ body: { password }, ...path }, context) =>
  context.store.write(async (db) => {
    const { node, disk } = await findIdleDisk(db, path, context);
    refuseIfAny(passwordErrors("password", password));
    if (await isInUse(db, node, disk)) throw badRequest("Node must be shut down");
    await startDiskJob(db, context, { node, disk }, "disk_password");
    return {};
  });

interface DiskPath {
  readonly nodeId: number;
  readonly diskId: number;
}

/** The disk that a path names, and its node, to change it. */
async function findDisk(db: Database, path: DiskPath, context: Context): Promise<{ node: NodeRow; disk: DiskRow }> {
  const node = await findKeptNode(db, path, context, "read_write");
  const disk = await findRow(db, "disks", { id: path.diskId, node_id: node.id });
  if (disk === undefined) throw notFound();
  return { node, disk };
}

async function findIdleDisk(db: Database, path: DiskPath, context: Context): Promise<{ node: NodeRow; disk: DiskRow }> {
  const found = await findDisk(db, path, context);
  await requireIdle(db, found.node, context.profile);
  return found;
}
