import { expressionBuilder } from "kysely";
import { type Attributes, always, number, textAttribute } from "../../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../../store/page.ts";
import type { Database, DiskRow, NewDiskRow, Tables } from "../../../store/tables.ts";

export function listDiskRows(db: Database, node_id: number, wanted: Slice): Promise<Rows<DiskRow>> {
  return slice(db, { rows: db.selectFrom("disks").where("node_id", "=", node_id) }, attributes, wanted);
}

/** All disks of a node, the oldest first. */
export function listAllDisks(db: Database, node_id: number): Promise<DiskRow[]> {
  return db.selectFrom("disks").selectAll().where("node_id", "=", node_id).orderBy("id").execute();
}

export function findDiskRow(db: Database, node_id: number, id: number): Promise<DiskRow | undefined> {
  return db.selectFrom("disks").selectAll().where("id", "=", id).where("node_id", "=", node_id).executeTakeFirst();
}

export function insertDiskRow(db: Database, row: NewDiskRow): Promise<DiskRow> {
  return db.insertInto("disks").values(row).returningAll().executeTakeFirstOrThrow();
}

export function updateDiskRow(db: Database, id: number, changes: Partial<NewDiskRow>): Promise<DiskRow> {
  return db.updateTable("disks").set(changes).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}

export async function removeDiskRow(db: Database, id: number): Promise<void> {
  await db.deleteFrom("disks").where("id", "=", id).execute();
}

export async function removeDisksOf(db: Database, node_id: number): Promise<void> {
  await db.deleteFrom("disks").where("node_id", "=", node_id).execute();
}

const eb = expressionBuilder<Tables, "disks">();

const attributes: Attributes = {
  id: number(eb.ref("disks.id")),
  status: textAttribute(eb.ref("disks.status")),
  label: textAttribute(eb.ref("disks.label")),
  created: textAttribute(eb.ref("disks.created")),
  updated: textAttribute(eb.ref("disks.updated")),
  filesystem: textAttribute(eb.ref("disks.filesystem")),
  size: number(eb.ref("disks.size")),
  disk_encryption: always("enabled"),
};
