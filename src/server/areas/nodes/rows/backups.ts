import type { BackupRow, Database } from "../../../store/tables.ts";

/** All backups of a node, the newest first. */
export function listBackups(db: Database, node_id: number): Promise<BackupRow[]> {
  return db.selectFrom("backups").selectAll().where("node_id", "=", node_id).orderBy("id", "desc").execute();
}

/** The backup of this id, of any of the account's nodes. */
export function findBackupInAccount(db: Database, account_id: number, id: number): Promise<BackupRow | undefined> {
  return db
    .selectFrom("backups")
    .innerJoin("nodes", "nodes.id", "backups.node_id")
    .selectAll("backups")
    .where("backups.id", "=", id)
    .where("nodes.account_id", "=", account_id)
    .executeTakeFirst();
}

/** Ends the node's running snapshot. */
export async function endSnapshotBackup(
  db: Database,
  node_id: number,
  changes: Pick<BackupRow, "status" | "contents" | "updated" | "finished">,
): Promise<void> {
  await db.updateTable("backups").set(changes).where("node_id", "=", node_id).where("status", "=", "running").execute();
}

/** The successful backups of these nodes that may have interfaces in VLANs. */
export async function listBackupsWithVlans(db: Database, nodes: readonly number[]): Promise<BackupRow[]> {
  return db
    .selectFrom("backups")
    .selectAll()
    .where("node_id", "in", nodes)
    .where("contents", "like", "%vlan%")
    .execute();
}

export async function setBackupContents(db: Database, id: number, contents: string): Promise<void> {
  await db.updateTable("backups").set({ contents }).where("id", "=", id).execute();
}

export async function removeBackupRows(db: Database, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom("backups").where("id", "in", ids).execute();
}
