import { expressionBuilder, type Insertable } from "kysely";
import { type Attributes, textAttribute } from "../../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../../store/page.ts";
import type { Database, MaintenanceRow, Tables } from "../../../store/tables.ts";

/** Whose maintenance is listed: that of an account's nodes. */
export interface MaintenanceOf {
  readonly account_id: number;
  /** Only that of nodes on which this user has a grant. */
  readonly grantee: number | undefined;
}

export function listMaintenanceRows(db: Database, of: MaintenanceOf, wanted: Slice): Promise<Rows<MaintenanceRow>> {
  const rows = db.selectFrom("maintenance").where("maintenance.node_id", "in", nodesOf(of));
  return slice(db, { rows, nanoseconds: of.grantee === undefined ? 500 : 1000 }, attributes, wanted);
}

/** The maintenance that has not begun, the earliest first. */
export function listPendingMaintenance(db: Database, of: MaintenanceOf): Promise<MaintenanceRow[]> {
  return db
    .selectFrom("maintenance")
    .selectAll()
    .where("node_id", "in", nodesOf(of))
    .where("status", "=", "pending")
    .orderBy("begins")
    .orderBy("id")
    .execute();
}

/** Whether the node moves to another host, now or later. */
export async function isMigrationPlanned(db: Database, node_id: number): Promise<boolean> {
  const row = await db
    .selectFrom("maintenance")
    .select("id")
    .where("node_id", "=", node_id)
    .where("type", "in", ["cold_migration", "live_migration"])
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether maintenance other than `except` keeps the node stopped. */
export async function isMaintenanceOnHold(db: Database, node_id: number, except: number): Promise<boolean> {
  const row = await db
    .selectFrom("maintenance")
    .select("id")
    .where("node_id", "=", node_id)
    .where("status", "=", "started")
    .where("type", "!=", "live_migration")
    .where("id", "!=", except)
    .executeTakeFirst();
  return row !== undefined;
}

/** Maintenance with the labels of its node and account. */
export interface ListedMaintenance extends MaintenanceRow {
  readonly account: string;
  readonly node: string;
}

/** The maintenance of all accounts, the earliest first. */
export function listAllMaintenance(db: Database): Promise<ListedMaintenance[]> {
  return db
    .selectFrom("maintenance")
    .innerJoin("nodes", "nodes.id", "maintenance.node_id")
    .innerJoin("accounts", "accounts.id", "nodes.account_id")
    .selectAll("maintenance")
    .select(["accounts.name as account", "nodes.label as node"])
    .orderBy("maintenance.begins")
    .orderBy("maintenance.id")
    .execute();
}

/** Stores maintenance and returns its id. */
export async function insertMaintenanceRow(db: Database, row: Insertable<Tables["maintenance"]>): Promise<number> {
  return (await db.insertInto("maintenance").values(row).returning("id").executeTakeFirstOrThrow()).id;
}

export async function setMaintenanceStarted(db: Database, id: number): Promise<void> {
  await db.updateTable("maintenance").set({ status: "started" }).where("id", "=", id).execute();
}

const eb = expressionBuilder<Tables, "maintenance">();

function nodesOf({ account_id, grantee }: MaintenanceOf) {
  const nodes = eb.selectFrom("nodes").select("nodes.id").where("nodes.account_id", "=", account_id);
  if (grantee === undefined) return nodes;
  const granted = eb
    .selectFrom("grants")
    .select("grants.entity_id")
    .where("grants.user_id", "=", grantee)
    .where("grants.entity_type", "=", "node");
  return nodes.where("nodes.id", "in", granted);
}

const attributes: Attributes = {
  type: textAttribute(eb.ref("maintenance.type")),
  status: textAttribute(eb.ref("maintenance.status")),
  reason: textAttribute(eb.ref("maintenance.reason")),
  when: textAttribute(eb.ref("maintenance.begins")),
};
