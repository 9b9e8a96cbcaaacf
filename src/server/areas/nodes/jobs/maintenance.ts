import type { Maintenance } from "../../../../contract/resources/maintenance.ts";
import type { Context } from "../../../entities/context.ts";
import { nodeEntity } from "../../../entities/entities.ts";
import type { JobDriver } from "../../../kit/job-driver.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import { listRows, removeRows } from "../../../store/rows.ts";
import type { Database, MaintenanceRow, NodeRow } from "../../../store/tables.ts";
import { addNodeRun } from "../../billing/node-samples-rows.ts";
import * as maintenance from "../rows/maintenance.ts";
import { updateNodeRow } from "../rows/nodes.ts";
import { bootByService } from "./watchdog.ts";

/**
 * Begins the maintenance of a node's host: unless the node moves while it runs, a running one is stopped without a job.
 * Returns the node as it is then.
 */
export async function startMaintenance(
  db: Database,
  { id, type }: MaintenanceRow,
  node: NodeRow,
  now: Date,
): Promise<NodeRow> {
  await maintenance.setMaintenanceStarted(db, id);
  if (type === "live_migration" || node.status !== "running") return node;
  await addNodeRun(db, node.id, false, timestamp(now));
  return updateNodeRow(db, node.id, { status: "stopped", updated: timestamp(now) });
}

/**
 * Ends maintenance, or cancels it if it has not begun. A node that it stopped is booted, unless other maintenance goes
 * on; returns whether.
 */
export async function endMaintenance(
  db: Database,
  row: MaintenanceRow,
  node: NodeRow,
  settings: { readonly jobDriver: JobDriver; readonly now: Date },
): Promise<boolean> {
  await removeRows(db, "maintenance", { id: row.id });
  if (!(await bootsAfter(db, row, node))) return false;
  await bootByService(db, node, "host_reboot", settings);
  return true;
}

/** Whether the end of maintenance boots the node. */
export async function bootsAfter(db: Database, { id, status }: MaintenanceRow, node: NodeRow): Promise<boolean> {
  if (status !== "started" || node.status !== "stopped") return false;
  return !(await maintenance.isMaintenanceOnHold(db, node.id, id));
}

/** The maintenance that the caller may see. */
export function visibleMaintenance({ caller }: Context): maintenance.MaintenanceOf {
  return { account_id: caller.accountId, grantee: caller.isRestricted ? caller.userId : undefined };
}

/** Stored maintenance as replies show it (decisions/account#maintenance, decisions/service#order-of-keys). */
export async function maintenanceReplies(
  db: Database,
  rows: readonly MaintenanceRow[],
  { caller }: Context,
): Promise<Maintenance[]> {
  const ids = rows.map(({ node_id }) => node_id);
  const found = new Map(
    (await listRows(db, "nodes", { account_id: caller.accountId, id: ids })).map((node) => [node.id, node]),
  );
  return rows.flatMap(({ type, status, reason, begins, node_id }) => {
    const node = found.get(node_id);
    return node ? { type, status, reason, when: begins, entity: nodeEntity(node) } : [];
  });
}
