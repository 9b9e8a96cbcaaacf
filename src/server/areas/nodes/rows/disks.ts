import { expressionBuilder } from "kysely";
import { type Attributes, always, number, text } from "../../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../../store/page.ts";
import type { Database, DiskRow, NewDiskRow, Tables } from "../../../store/tables.ts";

export function list(db: Database, node_id: number, wanted: Slice): Promise<Rows<DiskRow>> {
  return slice(db, { rows: db.selectFrom("disks").where("node_id", "=", node_id) }, attributes, wanted);
}

/** All disks of a node, the oldest first. */
export function listAll(db: Database, node_id: number): Promise<DiskRow[]> {
  return db.selectFrom("disks").selectAll().where("node_id", "=", node_id).orderBy("id").execute();
}

export function find(db: Database, node_id: number, id: number): Promise<DiskRow | undefined> {
  return db.selectFrom("disks").selectAll().where("id", "=", id).where("node_id", "=", node_id).executeTakeFirst();
}

export function insert(db: Database, row: NewDiskRow): Promise<DiskRow> {
  return db.insertInto("disks").values(row).returningAll().executeTakeFirstOrThrow();
}

export function update(db: Database, id: number, changes: Partial<NewDiskRow>): Promise<DiskRow> {
  return db.updateTable("disks").set(changes).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}

export async function remove(db: Database, id: number): Promise<void> {
  await db.deleteFrom("disks").where("id", "=", id).execute();
}

export async function removeAll(db: Database, node_id: number): Promise<void> {
  await db.deleteFrom("disks").where("node_id", "=", node_id).execute();
}

const eb = expressionBuilder<Tables, "disks">();

const attributes: Attributes = {
  id: number(eb.ref("disks.id")),
  status: text(eb.ref("disks.status")),
  label: text(eb.ref("disks.label")),
  created: text(eb.ref("disks.created")),
  updated: text(eb.ref("disks.updated")),
  filesystem: text(eb.ref("disks.filesystem")),
  size: number(eb.ref("disks.size")),
  disk_encryption: always("enabled"),
};
