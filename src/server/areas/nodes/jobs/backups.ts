import type { Backup } from "../../../../contract/resources/backup.ts";
import { unscheduled } from "../../../../contract/resources/node.ts";
import type { Profile } from "../../../entities/context.ts";
import { makeWorkDue } from "../../../entities/due-work.ts";
import { progressOf } from "../../../entities/progress.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import { findRow, removeRows } from "../../../store/rows.ts";
import type { BackupRow, Database, NodeRow } from "../../../store/tables.ts";
import * as backups from "../rows/backups.ts";

import { updateNodeRow } from "../rows/nodes.ts";
import { type Contents, gatherContents, placeContents, withoutVlans } from "./contents.ts";
import { factOf, type NodeEnd, restoreStatus, setStatus } from "./ending.ts";

/**
 * Time from turning on the service to the choice of a schedule, in milliseconds: an hour (decisions/nodes#node-fields).
 */
const schedulingTime = 60 * 60 * 1000;

/** Turns on the backups of a node that has none. */
export async function startBackups(db: Database, node: NodeRow, now: Date): Promise<NodeRow> {
  const due = new Date(now.getTime() + schedulingTime);
  await makeWorkDue(db, node.account_id, due);
  return updateNodeRow(db, node.id, {
    backups_enabled: 1,
    backup_day: unscheduled,
    backup_window: unscheduled,
    backup_next: timestamp(due),
  });
}

/** Turns off the backups of a node, and deletes them all. */
export async function endBackups(db: Database, node: NodeRow): Promise<NodeRow> {
  await removeRows(db, "backups", { node_id: node.id });
  return updateNodeRow(db, node.id, {
    backups_enabled: 0,
    backup_day: null,
    backup_window: null,
    backup_next: null,
    backup_successful: null,
  });
}

/** Removes the interfaces in VLANs from the backups of nodes: in another account, these are other VLANs. */
export async function removeVlans(db: Database, node_ids: readonly number[]): Promise<void> {
  for (const row of await backups.listBackupsWithVlans(db, node_ids))
    await backups.setBackupContents(db, row.id, JSON.stringify(withoutVlans(contentsOf(row))));
}

/** The contents of a successful backup. */
export function contentsOf({ id, contents }: BackupRow): Contents {
  if (contents === null) throw new Error(`backup ${id} is not successful`);
  return JSON.parse(contents);
}

/** Backups of a node as replies show them. */
export async function backupReplies(
  db: Database,
  rows: readonly BackupRow[],
  { now, profile }: { readonly now: Date; readonly profile: Profile },
): Promise<Backup[]> {
  const running = rows.find(({ status }) => status === "running");
  const progress = running && (await snapshotProgress(db, running.node_id, now));
  return rows.map((row) => {
    const { disks, configs }: Pick<Contents, "disks" | "configs"> =
      row.contents === null ? { disks: [], configs: [] } : contentsOf(row);
    return {
      id: row.id,
      ...(profile === "live" && { region: row.region }),
      type: row.type,
      status: row.status === "running" && progress ? progress : row.status,
      created: row.created,
      updated: row.updated,
      finished: row.finished,
      label: row.label,
      configs: configs.map(({ label }) => label),
      disks: disks.map(({ label, size, filesystem }) => ({ label, size, filesystem })),
      ...(profile === "live" && { available: true }),
    };
  });
}

/** Percentage of a snapshot's job from which on the node itself is no longer needed (decisions/nodes#backups). */
const processing = 90;

/** Status of the node's running snapshot at this moment. */
async function snapshotProgress(db: Database, node_id: number, now: Date): Promise<string | undefined> {
  const job = await findRow(db, "jobs", { entity_type: "node", entity_id: node_id });
  const event = job?.event_id == null ? undefined : await findRow(db, "events", { id: job.event_id });
  if (event === undefined) return undefined;
  const { status, percent_complete } = progressOf(event, now);
  if (status === "scheduled") return "pending";
  return (percent_complete ?? 0) < processing ? "running" : "needsPostProcessing";
}

/** The ends of the jobs that make and restore backups. */
export const backupEnds = {
  snapshot: {
    async end({ db, node, now }) {
      const moment = timestamp(now);
      const previous = (await backups.listBackups(db, node.id)).filter(
        ({ type, status }) => type === "snapshot" && status !== "running",
      );
      await backups.removeBackupRows(
        db,
        previous.map(({ id }) => id),
      );
      const contents = JSON.stringify(await gatherContents(db, node));
      await backups.endSnapshotBackup(db, node.id, {
        status: "successful",
        contents,
        updated: moment,
        finished: moment,
      });
      await updateNodeRow(db, node.id, { backup_successful: moment });
      return undefined;
    },
    async fail({ db, node, now }) {
      const moment = timestamp(now);
      await backups.endSnapshotBackup(db, node.id, {
        status: "failed",
        contents: null,
        updated: moment,
        finished: moment,
      });
    },
  },
  restore: {
    async end(ending) {
      const { db, node, data, now } = ending;
      const contents = factOf(data.contents);
      if (data.overwrites) {
        await removeRows(db, "disks", { node_id: node.id });
        await removeRows(db, "node_configs", { node_id: node.id });
        await updateNodeRow(db, node.id, { image: contents.image, booted_config_id: null });
      }
      await placeContents(db, node, contents, { status: "ready", now });
      await setStatus(ending, data.before);
      return undefined;
    },
    fail: restoreStatus,
  },
} satisfies Record<string, NodeEnd>;
