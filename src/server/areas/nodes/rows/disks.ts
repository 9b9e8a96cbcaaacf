import { expressionBuilder } from "kysely";
import { type Attributes, always, number, textAttribute } from "../../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../../store/page.ts";
import type { Database, DiskRow, Tables } from "../../../store/tables.ts";

export function listDiskRows(db: Database, node_id: number, wanted: Slice): Promise<Rows<DiskRow>> {
  return slice(db, { rows: db.selectFrom("disks").where("node_id", "=", node_id) }, attributes, wanted);
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
