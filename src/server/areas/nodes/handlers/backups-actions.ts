import type { Context, Handler } from "../../../entities/context.ts";
import { nodeEntity } from "../../../entities/entities.ts";
import { addEvent } from "../../../entities/events.ts";
import { badRequest, errorEntry, notFound, refuseIfAny } from "../../../kit/api-error.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import { findRow, insertRow, listRows } from "../../../store/rows.ts";
import type { BackupRow, Database, NodeRow } from "../../../store/tables.ts";
import { chargeNode } from "../../billing/charges.ts";
import { backupReplies, contentsOf, endBackups, startBackups } from "../jobs/backups.ts";
import { sizeOf } from "../jobs/contents.ts";
import { findCallersNode, findKeptNode, findTarget } from "../jobs/find.ts";
import { failJob, requireIdle, requireKept, startNodeJob } from "../jobs/jobs.ts";
import { listBackups } from "../rows/backups.ts";

export const getBackups: Handler<"getBackups"> = ({ nodeId }, context) =>
  context.store.read(async (db) => {
    const node = await findCallersNode(db, nodeId, context);
    const rows = await listBackups(db, node.id);
    const shown = async (wanted: (row: BackupRow) => boolean) => backupReplies(db, rows.filter(wanted), context);
    const [current] = await shown(({ type, status }) => type === "snapshot" && status === "successful");
    const [in_progress] = await shown(({ status }) => status === "running");
    return {
      automatic: await shown(({ type }) => type === "auto"),
      snapshot: { current: current ?? null, in_progress: in_progress ?? null },
    };
  });

export const getBackup: Handler<"getBackup"> = ({ nodeId, backupId }, context) =>
  context.store.read(async (db) => {
    const node = await findCallersNode(db, nodeId, context);
    return replyOf(db, await findBackup(db, node, backupId), context);
  });

export const enableBackups: Handler<"enableBackups"> = ({ nodeId }, context) =>
  context.store.write(async (db) => {
    const node = await findCallersNode(db, nodeId, context, "read_write");
    requireKept(node, context.profile);
    if (node.backups_enabled === 1) return {};
    await chargeNode(db, await startBackups(db, node, context.now), context);
    await addEvent(db, context, "backups_enable", { entity: nodeEntity(node) });
    return {};
  });

/** Deletes all backups, also during a restore, which has its own copy; a running snapshot fails. */
export const cancelBackups: Handler<"cancelBackups"> = ({ nodeId }, context) =>
  context.store.write(async (db) => {
    const node = await findCallersNode(db, nodeId, context, "read_write");
    requireKept(node, context.profile);
    requireBackups(node);
    const job = await findRow(db, "jobs", { entity_type: "node", entity_id: node.id });
    if (job?.kind === "snapshot") await failJob(db, "node", node, context.now, "The backups were cancelled.");
    await chargeNode(db, await endBackups(db, node), context);
    await addEvent(db, context, "backups_cancel", { entity: nodeEntity(node) });
    return {};
  });

export const createSnapshot: Handler<"createSnapshot"> = ({ nodeId, body }, context) =>
  context.store.write(async (db) => {
    const node = await findCallersNode(db, nodeId, context, "read_write");
    await requireIdle(db, node, context.profile);
    requireBackups(node);
    const moment = timestamp(context.now);
    const row = await insertRow(db, "backups", {
      node_id: node.id,
      type: "snapshot",
      status: "running",
      label: body.label,
      region: node.region,
      created: moment,
      updated: moment,
    });
    await startNodeJob(db, context, node, "snapshot");
    return replyOf(db, row, context);
  });

export const restoreBackup: Handler<"restoreBackup"> = ({ nodeId, backupId, body }, context) =>
  context.store.write(async (db) => {
    const node = await findKeptNode(db, { nodeId }, context, "read_write");
    const backup = await findBackup(db, node, backupId);
    await requireIdle(db, node, context.profile);
    if (backup.status !== "successful") throw badRequest("Only a successful backup can be restored");
    const target = body.node_id === node.id ? node : await findTarget(db, body.node_id, context);
    await requireIdle(db, target, context.profile);
    if (target.region !== backup.region)
      refuseIfAny([errorEntry("node_id", "The node must be in the region of the backup")]);
    const contents = contentsOf(backup);
    const overwrites = body.overwrite ?? false;
    const taken = overwrites ? 0 : sizeOf(await listRows(db, "disks", { node_id: target.id }));
    if (taken + sizeOf(contents.disks) > target.disk) throw badRequest("Insufficient space");
    await startNodeJob(db, context, target, "restore", { data: { contents, overwrites } });
    return {};
  });

function requireBackups(node: NodeRow): void {
  if (node.backups_enabled === 0) throw badRequest("Backups are not enabled");
}

async function findBackup(db: Database, node: NodeRow, id: number): Promise<BackupRow> {
  const backup = await findRow(db, "backups", { id, node_id: node.id });
  if (backup === undefined) throw notFound();
  return backup;
}

async function replyOf(db: Database, row: BackupRow, context: Context) {
  const [reply] = await backupReplies(db, [row], context);
  if (reply === undefined) throw new Error("a backup without a reply");
  return reply;
}
