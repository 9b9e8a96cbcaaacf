import { advise } from "../../../../diagnostics/advice.ts";
import { problemError } from "../../../../diagnostics/problem.ts";
import { findJobOf } from "../../../entities/jobs-rows.ts";
import type { JobDriver } from "../../../kit/job-driver.ts";
import { exactTimestamp, timestamp } from "../../../kit/timestamp.ts";
import type { Store } from "../../../store/store.ts";
import type { Database, MaintenanceRow, NodeRow } from "../../../store/tables.ts";
import { bootsAfter, endMaintenance, startMaintenance } from "../jobs/maintenance.ts";
import * as maintenance from "../rows/maintenance.ts";
import { requireNodeOf } from "./nodes.ts";

/** Maintenance to announce. */
export interface NewMaintenance extends Pick<MaintenanceRow, "node_id" | "type" | "reason"> {
  readonly begins: Date;
}

/** The maintenance of all accounts, the earliest first. */
export function listMaintenanceOfAll(store: Store): Promise<maintenance.ListedMaintenance[]> {
  return store.read(maintenance.listAllMaintenance);
}

/**
 * Announces maintenance of a node's host to its account, and returns its id.
 * @throws {ProblemError} `node-unknown`; `node-deleting` for a node that is being deleted.
 */
export function addMaintenance(store: Store, { begins, ...wanted }: NewMaintenance): Promise<number> {
  return store.write(async (db) => {
    const node = await requireNodeOf(db, wanted.node_id);
    if (node.status === "deleting")
      throw problemError("node-deleting", `node ${node.id} is being deleted`, {
        fix: advise`Run ${{ run: "server operator node list" }} to see which nodes there are.`,
      });
    return maintenance.insertMaintenanceRow(db, { ...wanted, status: "pending", begins: timestamp(begins) });
  });
}

/**
 * Begins maintenance: a running node is stopped, unless it migrates while it runs. Returns the node as it is then.
 * @throws {ProblemError} `maintenance-unknown`; `maintenance-started` if it has begun; `node-busy` if a job of the node
 * runs.
 */
export function beginMaintenance(store: Store, id: number, now: Date): Promise<NodeRow> {
  return store.write(async (db) => {
    const { row, node } = await readMaintenance(db, id);
    if (row.status === "started")
      throw problemError("maintenance-started", `maintenance ${id} has begun already`, {
        fix: advise`Run ${{ run: "server operator maintenance end", args: [id] }} once it is over.`,
      });
    await requireIdle(db, node, now);
    return startMaintenance(db, row, node, now);
  });
}

/**
 * Ends maintenance, or cancels it if it has not begun. Returns the node, and whether it is booted because the
 * maintenance had stopped it.
 * @throws {ProblemError} `maintenance-unknown`; `node-busy` if a job of the node runs.
 */
export function finishMaintenance(
  store: Store,
  id: number,
  settings: { readonly jobDriver: JobDriver; readonly now: Date },
): Promise<{ node: NodeRow; isBooted: boolean; hadBegun: boolean }> {
  return store.write(async (db) => {
    const { row, node } = await readMaintenance(db, id);
    const hadBegun = row.status === "started";
    if (await bootsAfter(db, row, node)) await requireIdle(db, node, settings.now);
    return { node, hadBegun, isBooted: await endMaintenance(db, row, node, settings) };
  });
}

async function readMaintenance(db: Database, id: number): Promise<{ row: MaintenanceRow; node: NodeRow }> {
  const found = await maintenance.findMaintenanceRow(db, id);
  // Locks the account as requests do; meanwhile the maintenance may have ended.
  const node = found && (await requireNodeOf(db, found.node_id));
  const row = found && (await maintenance.findMaintenanceRow(db, id));
  if (row && node) return { row, node };
  throw problemError("maintenance-unknown", `maintenance ${id} does not exist`, {
    fix: advise`Run ${{ run: "server operator maintenance list" }} to list announced maintenance.`,
  });
}

async function requireIdle(db: Database, { id }: NodeRow, now: Date): Promise<void> {
  const job = await findJobOf(db, "node", id);
  if (job === undefined) return;
  const isRunning = job.ends > exactTimestamp(now);
  const summary = isRunning ? `a job of node ${id} is running` : `the last job of node ${id} is not settled yet`;
  const fix = isRunning
    ? "Run the command again when the job has ended."
    : advise`Send any request of the account, such as ${{ call: "getNode", args: [id] }}, and run the command again.`;
  throw problemError("node-busy", summary, { fix });
}
