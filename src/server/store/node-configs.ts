import { expressionBuilder } from "kysely";
import { type Attributes, number, text } from "./filter.ts";
import { type Rows, type Slice, slice } from "./page.ts";
import type { Database, NewNodeConfigRow, NodeConfigRow, Tables } from "./tables.ts";

export function list(db: Database, node_id: number, wanted: Slice): Promise<Rows<NodeConfigRow>> {
  return slice({ rows: db.selectFrom("node_configs").where("node_id", "=", node_id) }, attributes, wanted);
}

/** All configuration profiles of a node, the oldest first. */
export function listAll(db: Database, node_id: number): Promise<NodeConfigRow[]> {
  return db.selectFrom("node_configs").selectAll().where("node_id", "=", node_id).orderBy("id").execute();
}

export function find(db: Database, node_id: number, id: number): Promise<NodeConfigRow | undefined> {
  return db
    .selectFrom("node_configs")
    .selectAll()
    .where("id", "=", id)
    .where("node_id", "=", node_id)
    .executeTakeFirst();
}

export function insert(db: Database, row: NewNodeConfigRow): Promise<NodeConfigRow> {
  return db.insertInto("node_configs").values(row).returningAll().executeTakeFirstOrThrow();
}

export function update(db: Database, id: number, changes: Partial<NewNodeConfigRow>): Promise<NodeConfigRow> {
  return db.updateTable("node_configs").set(changes).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}

export async function remove(db: Database, id: number): Promise<void> {
  await db.deleteFrom("node_configs").where("id", "=", id).execute();
}

export async function removeAll(db: Database, node_id: number): Promise<void> {
  await db.deleteFrom("node_configs").where("node_id", "=", node_id).execute();
}

const eb = expressionBuilder<Tables, "node_configs">();

const attributes: Attributes = {
  id: number(eb.ref("node_configs.id")),
  label: text(eb.ref("node_configs.label")),
};
